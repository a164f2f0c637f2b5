import { remember, remembered } from "../ui/storage";
import type { SentImage } from "./outbox";

/** What somebody has written in one place and not sent. It is kept for each person and thread, also over a reload. */
export class Draft {
  readonly #key: string;

  constructor(person: string, threadId: string) {
    this.#key = `parley.draft.${person}.${threadId}`;
  }

  get text(): string {
    return remembered<string>(`${this.#key}.text`) ?? "";
  }

  set text(text: string) {
    remember(`${this.#key}.text`, text || undefined);
  }

  get images(): SentImage[] {
    return remembered<SentImage[]>(`${this.#key}.images`) ?? [];
  }

  set images(images: SentImage[]) {
    remember(`${this.#key}.images`, images.length === 0 ? undefined : images);
  }
}

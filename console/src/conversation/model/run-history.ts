import type { RunPage } from "@parley/client";
import type { RunBook } from "./run-book";

/** Where there are more runs than this many pages, how the older ones ended is not shown. */
const MOST_PAGES = 10;

/** Reads a thread's runs from the latest on, as far back as its messages are looked at. */
export class RunHistory {
  readonly #book: RunBook;
  readonly #read: (cursor: string) => Promise<RunPage>;
  #cursor: string | undefined;
  #pages = 0;
  #oldest = "";

  constructor(book: RunBook, read: (cursor: string) => Promise<RunPage>) {
    this.#book = book;
    this.#read = read;
  }

  take(page: RunPage, isLatest: boolean): void {
    this.#book.note(page.runs);
    if (!isLatest || this.#pages === 0) {
      this.#cursor = page.nextCursor ?? undefined;
      this.#oldest = page.runs.at(-1)?.created ?? "";
      this.#pages++;
    }
  }

  async readBackTo(time: string | undefined): Promise<void> {
    while (time !== undefined && this.#cursor !== undefined && this.#oldest > time && this.#pages < MOST_PAGES) {
      this.take(await this.#read(this.#cursor), false);
    }
  }
}

import { freshId, type Parley } from "@parley/client";
import { sentenceOf } from "../ui/Failure";
import { Draft } from "./drafts";
import { rememberAddress } from "../ui/storedImages";
import type { SentImage } from "./outbox";

/** An image that goes with the next message: on its way, there, or refused. */
export interface Upload {
  key: string;
  name: string;
  state: "uploading" | "ready" | "failed";
  /** From 0 to 1. */
  progress: number;
  /** An address of the file itself, to be shown before the server has it. */
  preview?: string | undefined;
  image?: SentImage | undefined;
  refusal?: string | undefined;
}

const MOST = 10;
/** What the server takes. */
export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"];

/** The images of one draft. Each is uploaded once, as soon as it is chosen, under a key of its own. */
export class Uploads {
  readonly #parley: Parley;
  readonly #threadId: string;
  readonly #listeners = new Set<() => void>();
  readonly #files = new Map<string, { file: File; stop: AbortController }>();
  readonly #draft: Draft;
  #all: Upload[];

  constructor(parley: Parley, threadId: string, draft: Draft) {
    this.#parley = parley;
    this.#threadId = threadId;
    this.#draft = draft;
    this.#all = draft.images.map(ready);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly all = (): readonly Upload[] => this.#all;

  /** What is there, for the draft and for sending. */
  get images(): SentImage[] {
    return this.#all.map((each) => each.image).filter((image) => image !== undefined);
  }

  get isUploading(): boolean {
    return this.#all.some((each) => each.state === "uploading");
  }

  get hasFailed(): boolean {
    return this.#all.some((each) => each.state === "failed");
  }

  /** Takes images; returns why some were left out, if some were. */
  add(files: readonly File[]): string | undefined {
    const room = Math.max(0, MOST - this.#all.length);
    files.slice(0, room).forEach((file) => this.#begin(file));
    return files.length > room ? `At most ${MOST} images go with one message.` : undefined;
  }

  offer(images: SentImage[]): void {
    this.#set([...this.#all, ...images.map(ready)]);
  }

  retry(key: string): void {
    const known = this.#files.get(key);
    if (known !== undefined) {
      this.#change(key, { state: "uploading", progress: 0, refusal: undefined });
      void this.#upload(key, known.file, known.stop.signal);
    }
  }

  remove(key: string): void {
    this.#files.get(key)?.stop.abort();
    this.#release(key);
    this.#set(this.#all.filter((each) => each.key !== key));
  }

  clear(): void {
    this.#all.forEach((each) => this.remove(each.key));
  }

  #begin(file: File): void {
    const key = freshId();
    const stop = new AbortController();
    this.#files.set(key, { file, stop });
    const isImage = file.type === "" || IMAGE_TYPES.includes(file.type);
    const upload: Upload = { key, name: file.name || "image", state: isImage ? "uploading" : "failed", progress: 0 };
    if (isImage) {
      this.#set([...this.#all, { ...upload, preview: URL.createObjectURL(file) }]);
      void this.#upload(key, file, stop.signal);
    } else {
      this.#set([...this.#all, { ...upload, refusal: "Only images can be sent: png, jpeg, gif, webp and avif." }]);
    }
  }

  async #upload(key: string, file: File, signal: AbortSignal): Promise<void> {
    const onProgress = (sent: number, total: number): void => this.#change(key, { progress: total === 0 ? 1 : sent / total });
    try {
      const options = { threadId: this.#threadId, idempotencyKey: key, onProgress, signal };
      const [answer, size] = await Promise.all([this.#parley.attachments.upload(file, options), sizeOf(file)]);
      const { bucket, path, mime_type: mimeType, url } = answer;
      rememberAddress(answer, url);
      this.#change(key, { state: "ready", progress: 1, image: { bucket, path, mimeType, filename: file.name, ...size } });
    } catch (error) {
      if (!signal.aborted) {
        this.#change(key, { state: "failed", refusal: sentenceOf(error) });
      }
    }
  }

  #change(key: string, change: Partial<Upload>): void {
    this.#set(this.#all.map((each) => (each.key === key ? { ...each, ...change } : each)));
  }

  #release(key: string): void {
    const preview = this.#all.find((each) => each.key === key)?.preview;
    if (preview !== undefined) {
      URL.revokeObjectURL(preview);
    }
    this.#files.delete(key);
  }

  #set(all: Upload[]): void {
    this.#all = all;
    this.#draft.images = this.images;
    this.#listeners.forEach((listener) => listener());
  }
}

const open = new Map<Draft, Uploads>();
const drafts = new Map<string, Draft>();

/** The draft of a thread and its uploads, which go on while somebody looks elsewhere. */
export function openDraft(parley: Parley, person: string, threadId: string, name: string): [Draft, Uploads] {
  const key = `${person} ${name} ${threadId}`;
  const draft = drafts.get(key) ?? new Draft(person, name);
  drafts.set(key, draft);
  const uploads = open.get(draft) ?? new Uploads(parley, threadId, draft);
  open.set(draft, uploads);
  return [draft, uploads];
}

function ready(image: SentImage): Upload {
  return { key: freshId(), name: image.filename, state: "ready", progress: 1, image };
}

/** How large it is, so that its room can be kept; nothing if the browser cannot read it. */
async function sizeOf(file: File): Promise<{ width?: number; height?: number }> {
  try {
    const bitmap = await createImageBitmap(file);
    const { width, height } = bitmap;
    bitmap.close();
    return { width, height };
  } catch {
    return {};
  }
}

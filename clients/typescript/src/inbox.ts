import { FrameStream, type StreamOptions } from "./frames.js";
import type { Transport } from "./transport.js";
import type { InboxHint } from "./types/chat.js";

export const INBOX_PATH = "/api/v1/chat/inbox/stream";
const HINT = "thread_changed";

/**
 * Hints that something changed in one of the caller's threads, to be iterated over. Lost connections are replaced, but
 * hints that came meanwhile are not: list the threads whenever `onState` says `open`. Leaving the loop closes it.
 */
export class InboxStream implements AsyncIterableIterator<InboxHint> {
  readonly #frames: FrameStream;

  constructor(transport: Transport, options?: StreamOptions) {
    this.#frames = new FrameStream(transport, INBOX_PATH, () => undefined, options);
  }

  async next(): Promise<IteratorResult<InboxHint, undefined>> {
    for (let frame = await this.#frames.next(); frame !== undefined; frame = await this.#frames.next()) {
      if (frame.event === HINT) {
        const hint = read(frame.data);
        if (hint !== undefined) {
          this.#frames.progressed();
          return { done: false, value: hint };
        }
        await this.#frames.breach("The inbox sent a hint that cannot be read");
      }
    }
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<InboxHint, undefined>> {
    this.close();
    return { done: true, value: undefined };
  }

  close(): void {
    this.#frames.close();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

function read(data: string): InboxHint | undefined {
  try {
    return JSON.parse(data) as InboxHint;
  } catch {
    return undefined;
  }
}

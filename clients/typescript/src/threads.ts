import { freshId } from "./ids.js";
import { query, type CallOptions } from "./request.js";
import type { Transport } from "./transport.js";
import type { NewThread, ThreadPage, ThreadView } from "./types/chat.js";

export const THREADS_PATH = "/api/v1/chat/threads";

/** Which of the caller's threads to list. */
export interface ThreadQuery extends CallOptions {
  /** Those that are archived, instead of those that are not. */
  archived?: boolean | undefined;
  /** What the title has to contain. */
  q?: string | undefined;
  /** How many to a page; the server gives at most 200. */
  limit?: number | undefined;
  /** The `next_cursor` of the page before. */
  cursor?: string | undefined;
}

/** The caller's threads: make them and list them. */
export class Threads {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Makes a thread and sees it through: what gets no answer is sent again with the same key, so it is made once.
   *
   * @param options with a key of the caller's own it is made once also when the caller itself has to begin again
   */
  create(thread: NewThread = {}, options: CallOptions & { idempotencyKey?: string } = {}): Promise<ThreadView> {
    const key = options.idempotencyKey ?? freshId();
    return this.#transport.call({ method: "POST", path: THREADS_PATH, body: thread, key, signal: options.signal });
  }

  /** The most active ones. */
  list({ archived, q, limit, cursor, signal }: ThreadQuery = {}): Promise<ThreadPage> {
    const path = THREADS_PATH + query({ archived: archived || undefined, q, limit, cursor });
    return this.#transport.get(path, { signal });
  }

  /**
   * All of them, page by page as they are taken. A thread that becomes active meanwhile moves to the front, where the
   * list has been already.
   */
  async *all(wanted: ThreadQuery = {}): AsyncGenerator<ThreadView, void, undefined> {
    for (let cursor = wanted.cursor; ; ) {
      const page = await this.list(cursor === undefined ? wanted : { ...wanted, cursor });
      yield* page.threads;
      if (page.next_cursor === null) {
        return;
      }
      cursor = page.next_cursor;
    }
  }
}

import { query, type CallOptions } from "./request.js";
import type { Transport } from "./transport.js";
import type { HistoryDay } from "./types/history.js";

/** Which part of a thread's history to show. */
export interface HistoryQuery extends CallOptions {
  /** The one with the caller's latest message if not said. */
  threadId?: string | undefined;
  /** Only days before this one, as in `2026-11-16`. */
  before?: string | undefined;
  /** Where days begin and end, such as `Asia/Shanghai`; UTC if not said. */
  tz?: string | undefined;
  /** Only messages before this one. */
  beforeSeq?: number | undefined;
  limit?: number | undefined;
}

/** What was said in the caller's threads, day by day. */
export class History {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** One day, or the latest part of it if it was a long one. */
  day({ signal, threadId, before, tz, beforeSeq, limit }: HistoryQuery = {}): Promise<HistoryDay> {
    return this.#transport.get(`/api/v1/agent/history${query({ threadId, before, tz, beforeSeq, limit })}`, { signal });
  }

  /**
   * From there back to the thread's beginning, page by page as they are taken; a long day comes in several, its latest
   * part first. The thread is that of the first page, whichever is active meanwhile.
   */
  async *back(wanted: HistoryQuery = {}): AsyncGenerator<HistoryDay, void, undefined> {
    const { tz, limit, signal } = wanted;
    let page = await this.day(wanted);
    for (;;) {
      yield page;
      const first = page.messages[0];
      if (!page.hasMore || first === undefined || page.threadId === null) {
        return;
      }
      page = await this.day({ threadId: page.threadId, beforeSeq: first.seq, tz, limit, signal });
    }
  }
}

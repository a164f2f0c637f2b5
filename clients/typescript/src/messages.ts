import { freshId } from "./ids.js";
import { query, type CallOptions } from "./request.js";
import type { Transport } from "./transport.js";
import type { EntryPage, Message, MessagePage, NewAgentMessage, NewMessage, PostedMessage } from "./types/chat.js";

/** Which messages to read: those after a seq, those before one, or the latest. Always in ascending order. */
export interface MessageQuery extends CallOptions {
  after?: number | undefined;
  before?: number | undefined;
  /** At most 200. */
  limit?: number | undefined;
}

/** Values that a message's metadata must have to be listed. */
export interface MessageFilter {
  /** The client's id of a run, or the server's task id of the same run. */
  runId?: string | undefined;
  stage?: string | undefined;
}

/** The messages of one thread. */
export class Messages {
  readonly #transport: Transport;
  readonly #thread: string;

  constructor(transport: Transport, thread: string) {
    this.#transport = transport;
    this.#thread = thread;
  }

  /**
   * Posts a message and sees it through: what gets no answer is sent again with the same key (one is made if none is
   * given), so it is written once however often it is sent.
   */
  post(message: NewMessage | string, options?: CallOptions): Promise<PostedMessage> {
    return this.#post("/messages", typeof message === "string" ? { content: message } : message, options);
  }

  /**
   * Posts as an agent, seen through as `post` is. If it was to be refused when others have spoken since its `base_seq`,
   * and they have, it fails with a ParleyError whose `staleContext` says what was missed.
   */
  postAsAgent(message: NewAgentMessage, options?: CallOptions): Promise<PostedMessage> {
    return this.#post("/agent-messages", message, options);
  }

  #post(rest: string, message: NewMessage, options?: CallOptions): Promise<PostedMessage> {
    const body = { ...message, client_message_id: message.client_message_id ?? freshId() };
    return this.#transport.call({ method: "POST", path: this.#thread + rest, body, signal: options?.signal });
  }

  /**
   * Messages as they are now. A filtered page may be short or empty although it has more: go on with its
   * `next_after_seq` or `next_before_seq`.
   */
  list({ after, before, limit, runId, stage, signal }: MessageQuery & MessageFilter = {}): Promise<MessagePage> {
    const wanted = { after_seq: after, before_seq: before, limit, run_id: runId, stage };
    return this.#transport.get(`${this.#thread}/messages${query(wanted)}`, { signal });
  }

  /** All messages after a seq, page by page as they are taken. */
  async *all({
    after = 0,
    limit = 200,
    runId,
    stage,
    signal,
  }: MessageQuery & MessageFilter = {}): AsyncGenerator<Message, void, undefined> {
    for (let more = true; more; ) {
      const page = await this.list({ after, limit, runId, stage, signal });
      yield* page.messages;
      after = page.next_after_seq;
      more = page.has_more;
    }
  }

  /** The log as it stands there, with edits, deletions and reactions as entries of their own. */
  entries({ after, before, limit, signal }: MessageQuery = {}): Promise<EntryPage> {
    const wanted = { after_seq: after, before_seq: before, limit, revisions: "raw" };
    return this.#transport.get(`${this.#thread}/messages${query(wanted)}`, { signal });
  }
}

import { parseCursor } from "./cursor.js";
import { Deliveries } from "./deliveries.js";
import { EventStream, type FollowOptions } from "./events.js";
import { MessageClient } from "./message.js";
import { Messages } from "./messages.js";
import { Participants } from "./participants.js";
import { part, query, type CallOptions } from "./request.js";
import { THREADS_PATH } from "./threads.js";
import type { Transport } from "./transport.js";
import type { EventPage, NewAgentMessage, NewMessage, PostedMessage, ReadState, ThreadView } from "./types/chat.js";
import { Webhooks } from "./webhooks.js";

/** What a poll asks for. */
export interface PollOptions extends CallOptions {
  /** The seq or the event id to go on after; the thread's beginning if not said. */
  after?: number | string | undefined;
  limit?: number | undefined;
  /** How many seconds to wait for the first event, at most 30. */
  wait?: number | undefined;
}

const PAGE = 200;

/** One thread of a server: post to it, read it, follow it, change it. Holds nothing, so making one costs nothing. */
export class ThreadClient {
  readonly id: string;
  /** Its messages as they are now, or as the log has them. */
  readonly messages: Messages;
  /** Who is in the thread, and when agents answer. */
  readonly participants: Participants;
  /** Who is told of the thread's events by calls. */
  readonly webhooks: Webhooks;
  /** What became of replies to chat platforms. */
  readonly deliveries: Deliveries;
  /** The path of the thread's stream, for `parley.streamTicket`. */
  readonly streamPath: string;
  readonly #transport: Transport;
  readonly #path: string;

  constructor(transport: Transport, id: string) {
    this.id = id;
    this.#transport = transport;
    this.#path = `${THREADS_PATH}/${part(id)}`;
    this.streamPath = `${this.#path}/events/stream`;
    this.messages = new Messages(transport, this.#path);
    this.participants = new Participants(transport, this.#path);
    this.webhooks = new Webhooks(transport, this.#path);
    this.deliveries = new Deliveries(transport, this.#path);
  }

  get(options?: CallOptions): Promise<ThreadView> {
    return this.#transport.get(this.#path, options);
  }

  /** One message of the thread. */
  message(messageId: string): MessageClient {
    return new MessageClient(this.#transport, `${this.#path}/messages/${part(messageId)}`);
  }

  /** As `messages.post`. */
  post(message: NewMessage | string, options?: CallOptions): Promise<PostedMessage> {
    return this.messages.post(message, options);
  }

  /** As `messages.postAsAgent`. */
  postAsAgent(message: NewAgentMessage, options?: CallOptions): Promise<PostedMessage> {
    return this.messages.postAsAgent(message, options);
  }

  /** Events after a cursor, for those who cannot keep a stream open. */
  poll({ after, limit, wait, signal }: PollOptions = {}): Promise<EventPage> {
    const path = `${this.#path}/events${query({ after_seq: after ?? 0, limit, wait })}`;
    return this.#transport.call({ method: "GET", path, extraWait: (wait ?? 0) * 1000, signal });
  }

  /** The cursor after everything that has happened so far: follow from here to hear only what is new. */
  async end(options?: CallOptions): Promise<string> {
    let end = String((await this.get(options)).last_seq);
    for (let more = true; more; ) {
      const page = await this.poll({ after: end, limit: PAGE, signal: options?.signal });
      const last = page.events.at(-1)?.event_id;
      end = last !== undefined && parseCursor(last) !== undefined ? last : end;
      more = page.has_more;
    }
    return end;
  }

  /** Follows the thread: every event after a cursor, once and in order, for as long as the loop goes on. */
  follow(options: FollowOptions): EventStream {
    return new EventStream(this.#transport, this.streamPath, options);
  }

  /** Tells those who follow the thread that the caller is writing, or no longer is. Nothing of it is kept. */
  async typing(status: "started" | "stopped" = "started", options?: CallOptions): Promise<void> {
    const path = `${this.#path}/typing`;
    await this.#transport.call({ method: "POST", path, body: { status }, once: true, signal: options?.signal });
  }

  /** Marks as read up to a seq, never back, or everything; returns where the marker stands. */
  async markRead(seq?: number, options?: CallOptions): Promise<number> {
    const state = await this.#patch<ReadState>("/read", { seq: seq ?? null }, options);
    return state.last_read_seq;
  }

  rename(title: string, options?: CallOptions): Promise<ThreadView> {
    return this.#patch("", { title }, options);
  }

  /** An archived thread can be read, but takes no posts. */
  async archive(archived = true, options?: CallOptions): Promise<void> {
    await this.#patch("/archive", { archived }, options);
  }

  delete(options?: CallOptions): Promise<void> {
    return this.#transport.remove(this.#path, options);
  }

  #patch<T>(rest: string, body: unknown, options?: CallOptions): Promise<T> {
    return this.#transport.call({ method: "PATCH", path: this.#path + rest, body, signal: options?.signal });
  }
}

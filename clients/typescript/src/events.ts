import { compareCursors, cursorFollows, cursorText, parseCursor, type Cursor } from "./cursor.js";
import type { StreamOptions } from "./frames.js";
import { OrderedFrames, type Format } from "./ordered.js";
import type { SseFrame } from "./sse.js";
import type { Transport } from "./transport.js";
import type { EventEnvelope, Typing } from "./types/chat.js";

/** How a thread is followed. */
export interface FollowOptions extends StreamOptions {
  /**
   * The seq or the event id to begin after: 0 for the thread's beginning, `await thread.end()` for only what is new.
   */
  after: number | string;
  /** Told when somebody writes or stops writing. Nothing of it is kept, so what is missed is missed. */
  onTyping?: (typing: Typing) => void;
}

const ENVELOPES: Format<Cursor, EventEnvelope> = {
  place: parseCursor,
  text: cursorText,
  compare: compareCursors,
  follows: cursorFollows,
  event: (_place, frame) => JSON.parse(frame.data) as EventEnvelope,
  jumps: () => false,
};

/**
 * A thread's events, to be iterated over. Lost, refused and silent connections are replaced behind the scenes,
 * resuming after the last event handed out, so that every event comes exactly once and in order. For one taker at a
 * time; leaving the loop closes it.
 */
export class EventStream implements AsyncIterableIterator<EventEnvelope> {
  readonly #events: OrderedFrames<Cursor, EventEnvelope>;

  constructor(transport: Transport, path: string, options: FollowOptions) {
    const after = parseCursor(String(options.after));
    if (after === undefined) {
      throw new TypeError(`This is no seq and no event id: ${options.after}`);
    }
    const passing = (frame: SseFrame) => {
      if (frame.event === "typing" && options.onTyping !== undefined) {
        options.onTyping(JSON.parse(frame.data) as Typing);
      }
    };
    this.#events = new OrderedFrames(transport, path, ENVELOPES, after, passing, options);
  }

  /** After the last event handed out: where another stream would go on. */
  get cursor(): string {
    return cursorText(this.#events.place ?? { seq: 0, position: 0 });
  }

  /** How often the server broke the stream's promises. Zero, if it keeps them. */
  get violations(): number {
    return this.#events.violations;
  }

  async next(): Promise<IteratorResult<EventEnvelope, undefined>> {
    const event = await this.#events.next();
    return event === undefined ? { done: true, value: undefined } : { done: false, value: event };
  }

  async return(): Promise<IteratorResult<EventEnvelope, undefined>> {
    this.close();
    return { done: true, value: undefined };
  }

  close(): void {
    this.#events.close(false);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

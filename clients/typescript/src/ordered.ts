import { FrameStream, type StreamOptions } from "./frames.js";
import type { SseFrame } from "./sse.js";
import type { Transport } from "./transport.js";

/** How one kind of stream is read: P is a place in it, E an event. */
export interface Format<P, E> {
  /** Undefined unless the text is an event id of such a stream. */
  place(eventId: string): P | undefined;
  text(place: P): string;
  /** Negative if the first place stands before the second, 0 if they are the same. */
  compare(place: P, other: P): number;
  /** Whether an event at a place may come directly after one at an earlier place. */
  follows(place: P, earlier: P): boolean;
  /** Throws if the frame cannot be read. */
  event(place: P, frame: SseFrame): E;
  /** Whether the server says with this event that the stream goes on elsewhere than where it was asked to. */
  jumps(event: E): boolean;
}

/**
 * The events of one stream, each handed out once and in order. Repeats are dropped; after a gap, or an event that
 * cannot be read, the stream is asked for again from the last good place. For one taker at a time.
 */
export class OrderedFrames<P, E> {
  readonly #frames: FrameStream;
  readonly #format: Format<P, E>;
  readonly #passing: (frame: SseFrame) => void;
  #place: P | undefined;
  #violations = 0;
  /** Whether the next event may stand where the stream has jumped to. */
  #jumped = false;

  /**
   * @param after the place to begin after; undefined lets the server choose
   * @param passing told of frames without an id
   */
  constructor(
    transport: Transport,
    path: string,
    format: Format<P, E>,
    after: P | undefined,
    passing: (frame: SseFrame) => void,
    options?: StreamOptions,
  ) {
    this.#format = format;
    this.#place = after;
    this.#passing = passing;
    const resume = () => (this.#place === undefined ? undefined : format.text(this.#place));
    this.#frames = new FrameStream(transport, path, resume, options);
  }

  /** The place of the last event handed out, or where the stream was to begin. */
  get place(): P | undefined {
    return this.#place;
  }

  /** How often the server repeated or left out events or sent what cannot be read. Zero, if it keeps its promises. */
  get violations(): number {
    return this.#violations;
  }

  /** Whether nothing more will come. */
  get ended(): boolean {
    return this.#frames.ended;
  }

  /** The next event; undefined once the stream is closed. */
  async next(): Promise<E | undefined> {
    for (let frame = await this.#frames.next(); frame !== undefined; frame = await this.#frames.next()) {
      const event = await this.#take(frame);
      if (event !== undefined) {
        return event;
      }
    }
    return undefined;
  }

  close(ended: boolean): void {
    this.#frames.close({ kind: ended ? "ended" : "closed" });
  }

  async #take(frame: SseFrame): Promise<E | undefined> {
    if (!frame.hasId) {
      this.#passing(frame);
      return undefined;
    }
    const at = this.#format.place(frame.lastEventId);
    if (at === undefined) {
      return this.#broken(`The stream has an event id that cannot be read: ${frame.lastEventId}`);
    }
    let event: E;
    try {
      event = this.#format.event(at, frame);
    } catch (cause) {
      return this.#broken(`The stream sent an event that cannot be read: ${String(cause)}`);
    }
    const jumps = this.#format.jumps(event);
    const last = this.#place;
    if (last !== undefined && !jumps) {
      const order = this.#format.compare(at, last);
      const landed = this.#jumped && order === 0;
      if (!landed && order <= 0) {
        this.#violations++;
        return undefined;
      }
      if (!landed && !this.#format.follows(at, last)) {
        return this.#broken(`The stream went from ${this.#format.text(last)} to ${this.#format.text(at)}`);
      }
    }
    this.#jumped = jumps;
    this.#place = at;
    this.#frames.progressed();
    return event;
  }

  async #broken(what: string): Promise<undefined> {
    this.#violations++;
    await this.#frames.breach(what);
    return undefined;
  }
}

import { FrameStream, type StreamOptions } from "./frames.js";
import { query } from "./request.js";
import { POSITIONS, type PlacedEvent } from "./run-stream.js";
import type { SseFrame } from "./sse.js";
import type { Transport } from "./transport.js";
import type { InboxHint, Typing } from "./types/chat.js";

const PATH = "/api/v1/agent/stream";
/** So many milliseconds are changes of what is watched gathered, so that a page that opens costs one connection. */
const GATHERED = 5;

/** What comes by a `WatchStream`. */
export type StreamItem =
  /** A connection stands: hints and typing that came before it may have been missed, so list the threads now. */
  | { readonly kind: "ready" }
  | { readonly kind: "inbox"; readonly hint: InboxHint }
  | ({ readonly kind: "event"; readonly threadId: string } & PlacedEvent)
  | { readonly kind: "typing"; readonly typing: Typing }
  /** The caller may no longer read the thread, which is watched no longer. */
  | { readonly kind: "gone"; readonly threadId: string };

/** Where the stream is in one thread. */
interface Place {
  /** Undefined while the server is to choose. */
  position: number | undefined;
  /** Whether the next event may stand where the thread's events have jumped to. */
  jumped: boolean;
  /** Whether the present connection was asked for it: an older one may still send what was wanted before. */
  asked: boolean;
}

/**
 * Hints of all threads and the events of those that are watched, by one connection, to be iterated over. It is
 * replaced when it is lost and when another set is watched, and goes on in every thread after the last event handed
 * out: each comes once and in order. For one taker at a time; leaving the loop closes it.
 */
export class WatchStream implements AsyncIterableIterator<StreamItem> {
  readonly #frames: FrameStream;
  readonly #watched = new Map<string, Place>();
  #gathering: ReturnType<typeof setTimeout> | undefined;
  /** Whether a connection was ever asked for, and so is to be replaced when something changes. */
  #asked = false;
  #violations = 0;

  constructor(transport: Transport, options?: StreamOptions) {
    this.#frames = new FrameStream(transport, () => this.#ask(), () => undefined, options);
  }

  /** How often the server broke the stream's promises. Zero, if it keeps them. */
  get violations(): number {
    return this.#violations;
  }

  /**
   * Adds the events of a thread; watching it again with an `after` begins again there.
   *
   * @param after the position to begin after; without it the server begins at the active run, or live
   */
  watch(threadId: string, after?: number): void {
    if (!/^[^:,]+$/.test(threadId)) {
      throw new TypeError(`This is no thread's id: "${threadId}"`);
    }
    const place = this.#watched.get(threadId);
    if (place !== undefined && (after === undefined || after === place.position)) {
      return;
    }
    this.#watched.set(threadId, { position: after, jumped: false, asked: false });
    this.#changed();
  }

  unwatch(threadId: string): void {
    if (this.#watched.delete(threadId)) {
      this.#changed();
    }
  }

  /** The position of the last event handed out of a watched thread, to go on after it later. */
  position(threadId: string): number | undefined {
    return this.#watched.get(threadId)?.position;
  }

  async next(): Promise<IteratorResult<StreamItem, undefined>> {
    for (let frame = await this.#frames.next(); frame !== undefined; frame = await this.#frames.next()) {
      let value: StreamItem | undefined;
      try {
        value = frame.hasId ? this.#event(frame) : this.#passing(frame);
      } catch (cause) {
        this.#violations++;
        await this.#frames.breach(`The stream sent what cannot be read: ${String(cause)}`);
      }
      if (value !== undefined) {
        if (value.kind !== "ready") {
          this.#frames.progressed();
        }
        return { done: false, value };
      }
    }
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<StreamItem, undefined>> {
    this.close();
    return { done: true, value: undefined };
  }

  close(): void {
    clearTimeout(this.#gathering);
    this.#frames.close();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #ask(): string {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    this.#asked = true;
    this.#watched.forEach((place) => (place.asked = true));
    const watch = [...this.#watched].map(([id, { position }]) => (position === undefined ? id : `${id}:${position}`));
    return PATH + query({ watch: watch.length === 0 ? undefined : watch.join(",") });
  }

  #changed(): void {
    if (this.#asked) {
      this.#gathering ??= setTimeout(() => this.#frames.reopen(), GATHERED);
    }
  }

  /** Undefined if it is not to be handed out. */
  #event(frame: SseFrame): StreamItem | undefined {
    const colon = frame.lastEventId.lastIndexOf(":");
    const threadId = frame.lastEventId.slice(0, Math.max(colon, 0));
    const position = POSITIONS.place(frame.lastEventId.slice(colon + 1));
    if (threadId === "" || position === undefined) {
      throw new TypeError(`the event id ${frame.lastEventId}`);
    }
    const place = this.#watched.get(threadId);
    if (place === undefined || !place.asked) {
      return undefined;
    }
    const placed = POSITIONS.event(position, frame);
    const jumps = POSITIONS.jumps(placed);
    const landed = place.jumped && position === place.position;
    if (!jumps && !landed && place.position !== undefined && position <= place.position) {
      this.#violations++;
      return undefined;
    }
    place.position = position;
    place.jumped = jumps;
    return { kind: "event", threadId, ...placed };
  }

  /** Notes where threads begin, so that nothing is lost if the connection is before their first event. */
  #begin(positions: Record<string, number>): void {
    for (const [threadId, position] of Object.entries(positions)) {
      const place = this.#watched.get(threadId);
      if (place?.asked && place.position === undefined) {
        place.position = position;
      }
    }
  }

  #passing(frame: SseFrame): StreamItem | undefined {
    switch (frame.event) {
      case "ready":
        this.#begin((JSON.parse(frame.data) as { positions?: Record<string, number> }).positions ?? {});
        return { kind: "ready" };
      case "inbox":
        return { kind: "inbox", hint: JSON.parse(frame.data) as InboxHint };
      case "typing":
        return { kind: "typing", typing: JSON.parse(frame.data) as Typing };
      case "gone": {
        const { threadId } = JSON.parse(frame.data) as { threadId: string };
        return this.#watched.delete(threadId) ? { kind: "gone", threadId } : undefined;
      }
      default:
        return undefined;
    }
  }
}

import type { StreamOptions } from "./frames.js";
import { OrderedFrames, type Format } from "./ordered.js";
import type { Transport } from "./transport.js";
import type { RunEvent } from "./types/agui.js";

/** How a run, or what happens in a thread, is followed. */
export interface RunFollowOptions extends StreamOptions {
  /** The position to begin after. Without it a run begins at its beginning, and a thread at its active run, or live. */
  after?: number | undefined;
}

/** The server cannot go on where it was asked to: what a follower has does not lead on to what comes next. */
export interface Resync {
  /** `expired` if the events there are kept no longer, `ahead` if there never were any. */
  readonly reason: string;
  /** The paths to read again. */
  readonly reload: readonly string[];
}

/** An AG-UI event and where it stands. */
export interface PlacedEvent {
  /**
   * Grows from event to event; what was streamed piece by piece may come as one later, at the last piece's position.
   */
  readonly position: number;
  readonly event: RunEvent;
  /** The run that it belongs to, by its client's name for it; undefined for what happens beside the runs. */
  readonly runId: string | undefined;
  readonly resync: Resync | undefined;
}

/** Positions grow, but are not dense: other runs, and what is said in the thread, have some of them. */
export const POSITIONS: Format<number, PlacedEvent> = {
  place: (eventId) => (/^[0-9]{1,15}$/.test(eventId) ? Number(eventId) : undefined),
  text: String,
  compare: (place, other) => place - other,
  follows: (place, earlier) => place > earlier,
  event: (position, frame) => placed(position, JSON.parse(frame.data) as RunEvent),
  jumps: (event) => event.resync !== undefined,
};

function placed(position: number, event: RunEvent): PlacedEvent {
  const runId = event.metadata?.["runId"];
  const known = typeof runId === "string" ? runId : undefined;
  return { position, event, runId: known, resync: known === undefined ? resyncOf(event) : undefined };
}

/** An agent may call an event of its own so as well; the server's belongs to no run. */
function resyncOf(event: RunEvent): Resync | undefined {
  if (event.type !== "CUSTOM" || event.name !== "resync") {
    return undefined;
  }
  const value = (event.value ?? {}) as { reason?: unknown; reload?: unknown };
  return { reason: String(value.reason ?? ""), reload: Array.isArray(value.reload) ? value.reload.map(String) : [] };
}

/**
 * The AG-UI events of one run or of a whole thread, to be iterated over: every event once and in order, however often
 * the connection is lost. The stream of one run ends after its terminal event, or when the server says that it never
 * was where the stream shall go on. For one taker at a time; leaving the loop closes it.
 */
export class RunStream implements AsyncIterableIterator<PlacedEvent> {
  readonly #events: OrderedFrames<number, PlacedEvent>;
  readonly #oneRun: boolean;

  /** @param oneRun whether the path names a run */
  constructor(transport: Transport, path: string, oneRun: boolean, options: RunFollowOptions = {}) {
    this.#oneRun = oneRun;
    this.#events = new OrderedFrames(transport, path, POSITIONS, options.after, () => {}, options);
  }

  /** The position of the last event handed out, to go on after it later; undefined if there was none. */
  get position(): number | undefined {
    return this.#events.place;
  }

  /** Whether the last event of the run has been handed out, or was seen before this stream began. */
  get ended(): boolean {
    return this.#events.ended;
  }

  /** How often the server broke the stream's promises. Zero, if it keeps them. */
  get violations(): number {
    return this.#events.violations;
  }

  async next(): Promise<IteratorResult<PlacedEvent, undefined>> {
    const event = await this.#events.next();
    if (event === undefined) {
      return { done: true, value: undefined };
    }
    if (this.#oneRun && (isTerminal(event.event) || event.resync?.reason === "ahead")) {
      this.#events.close(true);
    }
    return { done: false, value: event };
  }

  async return(): Promise<IteratorResult<PlacedEvent, undefined>> {
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

/** Whether it is the last event of its run. */
export function isTerminal(event: RunEvent): boolean {
  return event.type === "RUN_FINISHED" || event.type === "RUN_ERROR";
}

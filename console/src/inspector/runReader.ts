import { isTerminal, type PlacedEvent, type RunEvent, type RunView } from "@parley/client";
import type { LiveEvent, ThreadListener } from "../connection/line";
import { runIdOf } from "../conversation/model/event";

/** Where a run's events come from. */
export interface RunSource {
  run(): Promise<RunView>;
  /** All its events, by a connection of its own that ends with the run. */
  events(): AsyncIterable<PlacedEvent> & { close(): void };
  /** What happens in its thread, by the connection that is there anyway. */
  watch(listener: ThreadListener): () => void;
}

/** Time for the shared connection to join the thread. After it, the run is read by a connection of its own. */
const JOIN_TIMEOUT_MS = 10_000;
/** Time from the join to the run's first event, which follows the join over the same port. */
const REPLAY_TIMEOUT_MS = 2_000;
/** What is told of the thread while a run goes on; it bears the run's name, and is none of its events. */
const OF_THREAD = new Set<unknown>(["message_committed", "message_revised", "messages_erased", "thread_updated", "run_updated"]);

/**
 * Reads a run's events from its beginning. What goes on is heard over the connection that all share; a connection of its
 * own has only what is over, and what the shared one does not tell from its beginning.
 */
export class RunReader {
  /** Grows, and is another list once it has to begin anew. */
  placed: PlacedEvent[] = [];
  /** Whether the run's last event is among them. */
  ended = false;
  /** The server does not keep them any more. */
  expired = false;
  error: unknown;
  readonly #source: RunSource;
  readonly #changed: () => void;
  #root = "";
  /** Events before the join do not begin at the run's first event; the hub repeats them after it. */
  #isJoined = false;
  #leave: (() => void) | undefined;
  #own: { close(): void } | undefined;
  #late: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(source: RunSource, changed: () => void) {
    this.#source = source;
    this.#changed = changed;
  }

  async start(): Promise<void> {
    const run = await this.#ask();
    if (run === undefined) {
      return;
    }
    // The events of a member of a team are its root's.
    this.#root = run.rootRunId ?? run.runId;
    this.#leave = this.#source.watch({
      onJoin: () => void this.#join(),
      onEvent: (event, position) => this.#hear(event, position),
      onGone: () => void this.#readItself(),
    });
    this.#beginWait(run, JOIN_TIMEOUT_MS);
  }

  close(): void {
    this.#isClosed = true;
    this.#stopWatching();
    this.#own?.close();
  }

  /** How a run stands that goes on; one that is over is read, and needs nothing else. */
  async #ask(): Promise<RunView | undefined> {
    try {
      const run = await this.#source.run();
      if (this.#isClosed || this.#isSettled) {
        return undefined;
      }
      if (run.ended === null) {
        return run;
      }
      await this.#readItself();
    } catch (error) {
      this.#fail(error);
    }
    return undefined;
  }

  /** What came before does not lead on. The run may have ended before this was said, and is then not told any more. */
  async #join(): Promise<void> {
    this.#isJoined = true;
    this.placed = [];
    const run = await this.#ask();
    if (run !== undefined) {
      this.#beginWait(run, REPLAY_TIMEOUT_MS);
    }
  }

  #beginWait(run: RunView, timeoutMs: number): void {
    clearTimeout(this.#late);
    if (run.firstEvent !== null) {
      this.#late = setTimeout(() => this.placed.length === 0 && void this.#readItself(), timeoutMs);
    }
  }

  #hear(event: LiveEvent, position: number): void {
    const isOfThread = event.type === "CUSTOM" && OF_THREAD.has(event["name"]);
    if (!this.#isJoined || isOfThread || runIdOf(event) !== this.#root || this.#isSettled) {
      return;
    }
    const last = this.placed.at(-1);
    if (last === undefined && event.type !== "RUN_STARTED") {
      void this.#readItself();
    } else if (last === undefined || position > last.position) {
      this.#add({ event: event as unknown as RunEvent, position, runId: this.#root, resync: undefined });
    }
  }

  get #isSettled(): boolean {
    return this.ended || this.#own !== undefined;
  }

  async #readItself(): Promise<void> {
    this.#stopWatching();
    if (this.#isClosed || this.#isSettled) {
      return;
    }
    this.placed = [];
    const events = this.#source.events();
    this.#own = events;
    try {
      for await (const each of events) {
        if (each.resync === undefined) {
          this.#add(each);
        } else {
          this.expired = true;
          this.#changed();
        }
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  #add(placed: PlacedEvent): void {
    this.error = undefined;
    this.placed.push(placed);
    if (isTerminal(placed.event)) {
      this.ended = true;
      this.#stopWatching();
    }
    this.#changed();
  }

  #fail(error: unknown): void {
    this.error = error;
    this.#changed();
  }

  #stopWatching(): void {
    clearTimeout(this.#late);
    this.#leave?.();
    this.#leave = undefined;
  }
}

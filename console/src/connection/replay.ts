import type { LiveEvent } from "./line";

export interface Placed {
  event: LiveEvent;
  position: number;
  /** The run that it belongs to; what happens beside the runs can be read, and is not held. */
  runId: string | undefined;
}

const TERMINAL = new Set(["RUN_FINISHED", "RUN_ERROR"]);

/**
 * What the active runs of a thread have said so far, for pages that come later. Nothing is held of a run that is over:
 * what it said can be read.
 */
export class Replay {
  readonly #runs = new Map<string, Placed[]>();

  add(placed: Placed): void {
    const { runId } = placed;
    if (runId === undefined) {
      return;
    }
    if (TERMINAL.has(placed.event.type)) {
      this.#runs.delete(runId);
    } else if (this.#runs.has(runId)) {
      this.#runs.get(runId)!.push(placed);
    } else if (placed.event.type === "RUN_STARTED") {
      this.#runs.set(runId, [placed]);
    }
  }

  clear(): void {
    this.#runs.clear();
  }

  get events(): Placed[] {
    return [...this.#runs.values()].flat().sort((one, other) => one.position - other.position);
  }
}

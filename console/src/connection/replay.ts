import type { LiveEvent } from "./line";

export interface Placed {
  event: LiveEvent;
  position: number;
}

const TERMINAL = new Set(["RUN_FINISHED", "RUN_ERROR"]);

/**
 * What the active runs of a thread have said so far, for pages that come later. It holds nothing while no run is active:
 * what is over can be read.
 */
export class Replay {
  #events: Placed[] = [];
  #active = new Set<string>();

  add(placed: Placed): void {
    const run = runOf(placed.event);
    if (run !== undefined && TERMINAL.has(placed.event.type)) {
      this.#active.delete(run);
    } else if (run !== undefined && placed.event.type !== "CUSTOM") {
      this.#active.add(run);
    }
    this.#events.push(placed);
    if (this.#active.size === 0) {
      this.#events = [];
    }
  }

  clear(): void {
    this.#events = [];
    this.#active.clear();
  }

  get events(): readonly Placed[] {
    return this.#events;
  }
}

function runOf(event: LiveEvent): string | undefined {
  const metadata = event.metadata as { runId?: string } | undefined;
  return metadata?.runId;
}

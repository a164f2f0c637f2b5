import type { LiveEvent } from "../../connection/line";
import { nextFrame } from "./frame";

/** Keeps events until the next frame is drawn, so that all that come within one are applied together. */
export class EventQueue {
  readonly #apply: () => void;
  #events: LiveEvent[] = [];
  #isDue = false;

  constructor(apply: () => void) {
    this.#apply = apply;
  }

  add(event: LiveEvent): void {
    this.#events.push(event);
    if (!this.#isDue) {
      this.#isDue = true;
      nextFrame(() => {
        this.#isDue = false;
        this.#apply();
      });
    }
  }

  /** Hands over what has come so far. */
  take(): LiveEvent[] {
    return this.#events.splice(0);
  }
}

import type { DeliveryPage, DeliveryState, DeliveryView } from "@parley/client";
import { Listeners } from "./listeners";

/** What became of a message on its way to a chat platform. */
export interface Delivered {
  state: DeliveryState;
  source: string;
  problem: string | null;
}

type ReadDeliveries = (after: number) => Promise<DeliveryPage>;

const WAIT_MS = 100;
/** What is still on its way is asked for again. */
const AGAIN_MS = 3_000;
/** From the best to the worst: of a message in several parts the worst is shown. */
const ORDER: DeliveryState[] = ["sent", "waiting", "sending", "uncertain", "dead"];

/** What became of replies to chat platforms, by the message's seq; read for those that are looked at. */
export class Deliveries {
  readonly #read: ReadDeliveries;
  readonly #states = new Map<number, Delivered | null>();
  readonly #wanted = new Set<number>();
  readonly changes = new Listeners();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(read: ReadDeliveries) {
    this.#read = read;
  }

  get(seq: number): Delivered | null | undefined {
    return this.#states.get(seq);
  }

  want(seq: number): void {
    if (!this.#states.has(seq)) {
      this.#wanted.add(seq);
      this.#later(WAIT_MS);
    }
  }

  #later(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#ask();
    }, ms);
  }

  async #ask(): Promise<void> {
    if (this.#wanted.size === 0 || this.changes.isEmpty) {
      return;
    }
    const first = Math.min(...this.#wanted);
    try {
      const page = await this.#read(first - 1);
      this.#take(page, first);
      this.changes.tell();
    } catch {
      // Asked again below.
    }
    if (this.#wanted.size > 0) {
      this.#later(AGAIN_MS);
    }
  }

  /** A message of which nothing is said goes nowhere, unless the page ends before it. */
  #take({ deliveries, has_more: hasMore }: DeliveryPage, first: number): void {
    const last = hasMore ? (deliveries.at(-1)?.thread_seq ?? first) - 1 : Infinity;
    for (const seq of [...this.#wanted].filter((each) => each >= first && each <= last)) {
      const delivered = worstOf(deliveries.filter((each) => each.thread_seq === seq));
      this.#states.set(seq, delivered);
      if (delivered?.state !== "waiting" && delivered?.state !== "sending") {
        this.#wanted.delete(seq);
      }
    }
  }
}

function worstOf(parts: DeliveryView[]): Delivered | null {
  const [worst] = [...parts].sort((one, other) => ORDER.indexOf(other.state) - ORDER.indexOf(one.state));
  return worst === undefined ? null : { state: worst.state, source: worst.source, problem: worst.problem };
}

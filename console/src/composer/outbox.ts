import { ParleyError, type ResumeEntry } from "@parley/client";

/** An image that was uploaded and goes with a message. */
export interface SentImage {
  bucket: string;
  path: string;
  mimeType: string;
  filename: string;
  width?: number | undefined;
  height?: number | undefined;
}

/** Something that was written and has not arrived yet. */
export interface Pending {
  /** Its idempotency key: the message's id, its `client_message_id`, and the id of the run it starts. */
  key: string;
  threadId: string;
  text: string;
  images: SentImage[];
  mentions: string[];
  /** Who shall answer; whoever should, if nobody is named. */
  agentId?: string | undefined;
  resume?: ResumeEntry[] | undefined;
  /** The user message that shall be answered again; then nothing new is said. */
  regenerateFrom?: string | undefined;
  createdAt: string;
  /** Why the server refused it; it stays until it is sent again or given up. */
  refusal?: string | undefined;
}

const KEY = "parley.outbox";
const AGAIN_MS = 3_000;
const LONGEST_MS = 30_000;

/**
 * What was written and has not arrived yet. It is kept over a reload and sent until there is an answer, each time under
 * the same key, so it arrives once however often the answer is lost. In each thread one goes after the other.
 */
export class Outbox {
  readonly #deliver: (pending: Pending) => Promise<void>;
  readonly #storage: Storage;
  readonly #listeners = new Set<() => void>();
  readonly #busy = new Set<string>();
  #all: Pending[];
  #wake: (() => void)[] = [];

  /** @param deliver sends it once; fails with a ParleyError if it was refused, with anything else if nobody answered */
  constructor(deliver: (pending: Pending) => Promise<void>, storage: Storage = localStorage) {
    this.#deliver = deliver;
    this.#storage = storage;
    this.#all = JSON.parse(storage.getItem(KEY) ?? "[]") as Pending[];
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** All that is pending; the same array until something changes. */
  readonly pending = (): readonly Pending[] => this.#all;

  send(pending: Pending): void {
    this.#keep([...this.#all, pending]);
    void this.#work(pending.threadId);
  }

  /** Sends a refused one again. */
  resend(key: string): void {
    const pending = this.#all.find((each) => each.key === key);
    if (pending !== undefined) {
      this.#keep(this.#all.map((each) => (each.key === key ? { ...each, refusal: undefined } : each)));
      void this.#work(pending.threadId);
    }
  }

  giveUp(key: string): void {
    this.#keep(this.#all.filter((each) => each.key !== key));
  }

  /** Begins with what an earlier page could not send, and tries at once whatever waits for another try. */
  resume(): void {
    this.#wake.splice(0).forEach((wake) => wake());
    new Set(this.#all.map((each) => each.threadId)).forEach((threadId) => void this.#work(threadId));
  }

  async #work(threadId: string): Promise<void> {
    if (this.#busy.has(threadId)) {
      return;
    }
    this.#busy.add(threadId);
    for (let next = this.#next(threadId), tries = 0; next !== undefined; next = this.#next(threadId)) {
      const refusal = await this.#attempt(next);
      if (refusal === "unanswered") {
        await this.#pause(Math.min(AGAIN_MS * 2 ** tries++, LONGEST_MS));
      } else {
        tries = 0;
        this.#settle(next.key, refusal);
      }
    }
    this.#busy.delete(threadId);
  }

  #next(threadId: string): Pending | undefined {
    return this.#all.find((each) => each.threadId === threadId && each.refusal === undefined);
  }

  /** Undefined if it has arrived; else why not. */
  async #attempt(pending: Pending): Promise<string | undefined> {
    try {
      await this.#deliver(pending);
      return undefined;
    } catch (error) {
      return error instanceof ParleyError && !error.retryable ? error.detail : "unanswered";
    }
  }

  #settle(key: string, refusal: string | undefined): void {
    const others = this.#all.filter((each) => each.key !== key);
    const refused = this.#all.filter((each) => each.key === key).map((each) => ({ ...each, refusal }));
    this.#keep(refusal === undefined ? others : [...others, ...refused]);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #keep(all: Pending[]): void {
    this.#all = all;
    if (all.length === 0) {
      this.#storage.removeItem(KEY);
    } else {
      this.#storage.setItem(KEY, JSON.stringify(all));
    }
    this.#listeners.forEach((listener) => listener());
  }
}

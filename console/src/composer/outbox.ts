import { ParleyError, type ResumeEntry } from "@parley/client";
import { keysUnder, remember, remembered } from "../ui/storage";

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
  /**
   * Whether it goes as a message, so that the server finds out who answers, or with a run. Decided once: the two have
   * different keys, and going the other way at a second try would say it twice.
   */
  way: "message" | "run";
  /** Why the server refused it; it stays until it is sent again or given up. */
  refusal?: string | undefined;
}

/**
 * How something is sent. What is only text is a message, and the server finds out who should answer it; images, answers
 * to questions and wishes for a certain agent go with a run, and so does what makes the thread.
 */
export function wayOf({ images, agentId, resume, regenerateFrom }: Omit<Pending, "way">, isFresh: boolean): Pending["way"] {
  return isFresh || images.length > 0 || agentId || resume || regenerateFrom ? "run" : "message";
}

const KEY = "parley.outbox.";
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
  readonly #wake = new Set<() => void>();
  readonly #prefix: string;
  #all: Pending[];

  /**
   * @param person whose it is: what somebody wrote is never sent by somebody else
   * @param deliver sends it once; fails with a ParleyError if it was refused, with anything else if nobody answered
   */
  constructor(person: string, deliver: (pending: Pending) => Promise<void>, storage: Storage = localStorage) {
    this.#prefix = `${KEY}${person}.`;
    this.#deliver = deliver;
    this.#storage = storage;
    this.#all = keysUnder(this.#prefix, storage)
      .map((key) => remembered<Pending>(key, storage))
      .filter((each) => each !== undefined)
      .sort((one, other) => one.createdAt.localeCompare(other.createdAt));
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** All that is pending; the same array until something changes. */
  readonly pending = (): readonly Pending[] => this.#all;

  send(pending: Pending): void {
    this.#keep(pending);
    this.#show([...this.#all, pending]);
    void this.#work(pending.threadId);
  }

  /** Sends a refused one again. */
  resend(key: string): void {
    const pending = this.#all.find((each) => each.key === key);
    if (pending !== undefined) {
      this.giveUp(key);
      this.send({ ...pending, refusal: undefined });
    }
  }

  giveUp(key: string): void {
    remember(this.#prefix + key, undefined, this.#storage);
    this.#show(this.#all.filter((each) => each.key !== key));
  }

  /** Begins with what an earlier page could not send, and tries at once whatever waits for another try. */
  resume(): void {
    this.#wake.forEach((wake) => wake());
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
    const refused = this.#all.find((each) => each.key === key);
    this.giveUp(key);
    if (refusal !== undefined && refused !== undefined) {
      this.#keep({ ...refused, refusal });
      this.#show([...this.#all, { ...refused, refusal }]);
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#wake.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.#wake.add(wake);
    });
  }

  /** Each is kept for itself, since another tab keeps its own. */
  #keep(pending: Pending): void {
    remember(this.#prefix + pending.key, pending, this.#storage);
  }

  #show(all: Pending[]): void {
    this.#all = all;
    this.#listeners.forEach((listener) => listener());
  }
}

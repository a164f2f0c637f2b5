/** What has to be read again. */
export interface Wants {
  thread: boolean;
  /** What was committed behind the last message that is shown. */
  end: boolean;
  runs: boolean;
  /** Messages that were revised. */
  rows: Set<number>;
}

const WAIT_MS = 50;
const RETRY_MS = 2_000;

const nothing = (): Wants => ({ thread: false, end: false, runs: false, rows: new Set() });

/**
 * Gathers what has to be read for a moment, and reads it at once, one read at a time. What fails is tried again, until
 * it is closed.
 */
export class Refresh {
  readonly #read: (wants: Wants) => Promise<void>;
  #wants = nothing();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isReading = false;
  #isClosed = false;

  constructor(read: (wants: Wants) => Promise<void>) {
    this.#read = read;
  }

  want(change: (wants: Wants) => void): void {
    change(this.#wants);
    this.#later(WAIT_MS);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Goes on with what was wanted before it was closed. */
  open(): void {
    this.#isClosed = false;
    this.#readSoon(WAIT_MS);
  }

  #later(ms: number): void {
    if (this.#timer === undefined && !this.#isReading && !this.#isClosed) {
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        void this.#flush();
      }, ms);
    }
  }

  async #flush(): Promise<void> {
    const wants = this.#wants;
    this.#wants = nothing();
    this.#isReading = true;
    let isDone = true;
    try {
      await this.#read(wants);
    } catch {
      isDone = false;
      this.#wants.thread ||= wants.thread;
      this.#wants.end ||= wants.end;
      this.#wants.runs ||= wants.runs;
      wants.rows.forEach((seq) => this.#wants.rows.add(seq));
    }
    this.#isReading = false;
    this.#readSoon(isDone ? WAIT_MS : RETRY_MS);
  }

  #readSoon(ms: number): void {
    const { thread, end, runs, rows } = this.#wants;
    if (thread || end || runs || rows.size > 0) {
      this.#later(ms);
    }
  }
}

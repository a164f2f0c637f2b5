import type { Message } from "@parley/client";
import { PAGE, stretches } from "./pages";
import { Refresh, type Wants } from "./refresh";
import { RunHistory } from "./run-history";
import type { ThreadSource } from "./source";
import type { ThreadModel } from "./thread-model";

const FIRST_READ = 200;
/** If more than so much was said meanwhile, it is read when it is looked at. */
const MOST_AT_ONCE = 600;
const RETRY_MS = 2_000;

/** Reads a thread into its model: all that is shown at first, the rows that are looked at, and what hints tell of. */
export class Reader {
  readonly refresh = new Refresh((wants) => this.#read(wants));
  readonly #model: ThreadModel;
  readonly #source: ThreadSource;
  readonly #history: RunHistory;
  readonly #loading = new Set<number>();
  readonly #overRuns = new Set<string>();
  #hinted = 0;
  /** Counts what was read anew; what an earlier read brings later is old. */
  #era = 0;

  constructor(model: ThreadModel, source: ThreadSource) {
    this.#model = model;
    this.#source = source;
    this.#history = new RunHistory(model.runs, (cursor) => source.runs(cursor));
  }

  /** Something is said to have been committed; it is believed when it was read. */
  noteSeq(seq: number): void {
    this.#hinted = Number.isSafeInteger(seq) ? Math.max(this.#hinted, seq) : this.#hinted;
  }

  /** A run is over; what of it still grows goes once the end was read. */
  noteEnd(runId: string): void {
    this.#overRuns.add(runId);
    this.refresh.want((wants) => (wants.end = true));
  }

  /** Whatever is being read is not wanted any more. */
  drop(): void {
    this.#era++;
  }

  /** Reads the thread, its end and its latest runs. False if it was meanwhile begun anew. */
  async readAnew(): Promise<boolean> {
    const era = ++this.#era;
    const latest = this.#source.messages({ limit: FIRST_READ });
    try {
      const [thread, page, runs] = await Promise.all([this.#source.thread(), latest, this.#source.runs()]);
      if (era !== this.#era) {
        return false;
      }
      this.#model.live.clear();
      this.#model.pages.doubt();
      this.#model.takeThread(thread);
      const last = Math.max(page.next_after_seq, page.messages.at(-1)?.thread_seq ?? 0);
      this.#take(page.has_more ? (page.messages[0]?.thread_seq ?? 1) : 1, last, page.messages);
      this.#history.take(runs, true);
      return true;
    } catch (error) {
      if (era !== this.#era) {
        return false;
      }
      throw error;
    }
  }

  /** Reads a page of what is looked at. */
  async readPage(page: number, near: number): Promise<void> {
    const { pages, index } = this.#model;
    if (this.#loading.has(page)) {
      return;
    }
    this.#loading.add(page);
    const era = this.#era;
    try {
      const { messages } = await this.#source.messages({ after: page * PAGE, limit: PAGE });
      if (era === this.#era) {
        this.#take(page * PAGE + 1, Math.min((page + 1) * PAGE, pages.lastSeq), messages);
        pages.keepNear(near);
        index.rebuild(pages.messages());
        await this.#history.readBackTo(messages[0]?.created_at);
      }
    } catch {
      setTimeout(() => this.#free(page), RETRY_MS);
      return;
    }
    this.#free(page);
  }

  /** A page may be asked for again; whoever looks at it does so when something changes. */
  #free(page: number): void {
    this.#loading.delete(page);
    this.#model.changes.tell();
  }

  async #read({ thread, end, runs, rows }: Wants): Promise<void> {
    const { pages, changes } = this.#model;
    if (thread) {
      this.#model.takeThread(await this.#source.thread());
    }
    if (end) {
      await this.#readEnd();
    }
    if (runs) {
      await this.#readRuns();
    }
    for (const [first, last] of stretches([...rows].filter((seq) => pages.row(seq)))) {
      const { messages } = await this.#source.messages({ after: first - 1, limit: last - first + 1 });
      this.#take(first, last, messages.filter((each) => each.thread_seq <= last));
    }
    changes.tell();
  }

  /** The latest, and earlier ones whose questions are open. */
  async #readRuns(): Promise<void> {
    const { runs } = this.#model;
    const page = await this.#source.runs();
    this.#history.take(page, true);
    const read = new Set(page.runs.map((each) => each.runId));
    for (const runId of runs.waiting().filter((each) => !read.has(each))) {
      const run = await this.#source.run(runId);
      runs.note(run === undefined ? [] : [run]);
    }
  }

  async #readEnd(): Promise<void> {
    const { pages, live, index } = this.#model;
    const over = [...this.#overRuns];
    const hinted = this.#hinted;
    if (hinted - pages.lastSeq > MOST_AT_ONCE) {
      const thread = await this.#source.thread();
      this.#model.takeThread(thread);
      if (thread.last_seq - pages.lastSeq > MOST_AT_ONCE) {
        pages.skipTo(thread.last_seq);
        this.#model.newLine.note({ seq: thread.last_seq, key: thread.last_seq, message: undefined });
      }
    }
    for (let more = true; more; ) {
      const after = pages.lastSeq;
      const page = await this.#source.messages({ after, limit: FIRST_READ });
      this.#take(after + 1, Math.max(page.next_after_seq, page.messages.at(-1)?.thread_seq ?? after), page.messages);
      more = page.has_more;
    }
    this.#hinted = this.#hinted > hinted ? this.#hinted : 0;
    for (const runId of over) {
      this.#overRuns.delete(runId);
      live.forget(runId);
    }
    if (over.some((runId) => !index.isAsked(runId))) {
      this.refresh.want((wants) => (wants.runs = true));
    }
  }

  #take(from: number, to: number, messages: readonly Message[]): void {
    const { intake, newLine, pages } = this.#model;
    const lastSeq = pages.lastSeq;
    intake.take(from, to, messages);
    for (let seq = Math.max(from, lastSeq + 1); seq <= to; seq++) {
      newLine.note({ seq, key: intake.keyOf(seq), message: pages.row(seq) });
    }
    if (messages.some((each) => this.#isStranger(each))) {
      this.refresh.want((wants) => (wants.thread = true));
    }
  }

  /** Whether it is of somebody who joined after the thread was read; those who left are not asked for again and again. */
  #isStranger({ sender_id: sender, thread_seq: seq }: Message): boolean {
    const { participants = [], last_seq: last = 0 } = this.#model.thread ?? {};
    return seq > last && participants.every((each) => each.sender_id !== sender);
  }
}

import { ParleyError, type Message, type ThreadView } from "@parley/client";
import type { LiveEvent } from "../../connection/line";
import { EventQueue } from "./event-queue";
import { hear } from "./hearing";
import { Intake } from "./intake";
import { Listeners } from "./listeners";
import { Live } from "./live";
import { MessageIndex } from "./message-index";
import { PAGE, Pages, stretches } from "./pages";
import { Refresh, type Wants } from "./refresh";
import { RunBook } from "./run-book";
import { RunHistory } from "./run-history";
import type { ThreadSource } from "./source";

const FIRST_READ = 200;
/** If more than so much was said meanwhile, it is read when it is looked at. */
const MOST_AT_ONCE = 600;
const RETRY_MS = 2_000;

/**
 * A thread as it is read and heard: rows by their seq, what is growing at the end, and its runs. Events are hints to
 * read; only what is being said right now is taken from them.
 */
export class ThreadModel {
  state: "loading" | "ready" | "new" | "failed";
  error: unknown;
  thread: ThreadView | undefined;
  /** How far its reader had come when it was opened; zero if it is new. */
  readTo = 0;
  readonly changes = new Listeners();
  readonly pages = new Pages();
  readonly index = new MessageIndex();
  readonly live = new Live((id) => this.index.seqOf(id) !== undefined);
  readonly intake = new Intake(this.pages, this.index, this.live);
  readonly runs = new RunBook();
  readonly refresh = new Refresh((wants) => this.#read(wants));
  readonly #history: RunHistory;
  readonly #me: string;
  readonly #source: ThreadSource;
  readonly #queue = new EventQueue(() => this.#applyEvents());
  readonly #loading = new Set<number>();
  readonly #overRuns = new Set<string>();
  #hinted = 0;
  #joins = 0;
  #isJoining = false;

  /** @param isNew whether the server does not know of it yet */
  constructor(source: ThreadSource, me: string, isNew = false) {
    this.#source = source;
    this.#me = me;
    this.#history = new RunHistory(this.runs, (cursor) => source.runs(cursor));
    this.state = isNew ? "new" : "loading";
  }

  /** Reads everything anew. What is heard meanwhile waits until that is done. */
  async join(): Promise<void> {
    const join = ++this.#joins;
    this.#isJoining = true;
    this.#queue.take();
    try {
      const latest = this.#source.messages({ limit: FIRST_READ });
      const [thread, page, runs] = await Promise.all([this.#source.thread(), latest, this.#source.runs()]);
      if (join === this.#joins) {
        this.live.clear();
        this.pages.doubt();
        this.#takeThread(thread);
        const last = Math.max(page.next_after_seq, page.messages.at(-1)?.thread_seq ?? 0);
        this.#take(page.has_more ? (page.messages[0]?.thread_seq ?? 1) : 1, last, page.messages);
        this.#history.take(runs, true);
        this.state = "ready";
        this.#settle();
      }
    } catch (error) {
      if (join === this.#joins) {
        this.error = error;
        this.state = this.#stateAfter(error);
        this.#settle();
      }
    }
  }

  #settle(): void {
    this.#isJoining = false;
    this.#applyEvents();
    this.changes.tell();
  }

  /** What could be read once stays to be looked at, unless it is not there any more. */
  #stateAfter(error: unknown): ThreadModel["state"] {
    const isMissing = error instanceof ParleyError && error.status === 404;
    if (isMissing && this.thread === undefined) {
      return "new";
    }
    return this.state === "ready" && !isMissing ? "ready" : "failed";
  }

  /** It is not there, or not any more. What was read can still be looked at. */
  lose(): void {
    this.#joins++;
    this.#isJoining = false;
    this.error = new Error("This conversation cannot be read any more.");
    this.state = this.thread === undefined ? "new" : "failed";
    this.changes.tell();
  }

  /** Notes an event. What is heard before the thread was read waits. */
  hear(event: LiveEvent): void {
    this.#queue.add(event);
  }

  #applyEvents(): void {
    if (this.state === "ready" && !this.#isJoining) {
      this.#queue.take().forEach((event) => hear(this, event));
      this.changes.tell();
    }
  }

  noteSeq(seq: number): void {
    this.#hinted = Math.max(this.#hinted, seq);
  }

  /** A run is over; what of it still grows goes once the end was read. */
  noteEnd(runId: string): void {
    this.#overRuns.add(runId);
    this.refresh.want((wants) => (wants.end = true));
  }

  /** Reads what is looked at, as far as that is needed. */
  want(first: number, last: number): void {
    this.pages.missing(first, last).forEach((page) => void this.#readPage(page, Math.floor((first + last) / 2)));
  }

  async #readPage(page: number, near: number): Promise<void> {
    if (this.state !== "ready" || this.#loading.has(page)) {
      return;
    }
    this.#loading.add(page);
    const join = this.#joins;
    try {
      const { messages } = await this.#source.messages({ after: page * PAGE, limit: PAGE });
      if (join === this.#joins) {
        this.#take(page * PAGE + 1, Math.min((page + 1) * PAGE, this.pages.lastSeq), messages);
        this.pages.keepNear(near);
        this.index.rebuild(this.pages.messages());
        await this.#history.readBackTo(messages[0]?.created_at);
      }
      this.#loading.delete(page);
    } catch {
      setTimeout(() => this.#loading.delete(page), RETRY_MS);
    }
    this.changes.tell();
  }

  async #read({ thread, end, runs, rows }: Wants): Promise<void> {
    if (thread) {
      this.#takeThread(await this.#source.thread());
    }
    if (end) {
      await this.#readEnd();
    }
    if (runs) {
      this.#history.take(await this.#source.runs(), true);
    }
    for (const [first, last] of stretches([...rows].filter((seq) => this.pages.row(seq)))) {
      const { messages } = await this.#source.messages({ after: first - 1, limit: last - first + 1 });
      this.#take(first, last, messages.filter((each) => each.thread_seq <= last));
    }
    this.changes.tell();
  }

  async #readEnd(): Promise<void> {
    const over = [...this.#overRuns];
    if (this.#hinted - this.pages.lastSeq > MOST_AT_ONCE) {
      this.pages.skipTo(this.#hinted);
    }
    for (let more = true; more; ) {
      const after = this.pages.lastSeq;
      const page = await this.#source.messages({ after, limit: FIRST_READ });
      this.#take(after + 1, Math.max(page.next_after_seq, page.messages.at(-1)?.thread_seq ?? after), page.messages);
      more = page.has_more;
    }
    for (const runId of over) {
      this.#overRuns.delete(runId);
      this.live.forget(runId);
    }
  }

  #take(from: number, to: number, messages: readonly Message[]): void {
    this.intake.take(from, to, messages);
    if (messages.some((each) => this.#isStranger(each))) {
      this.refresh.want((wants) => (wants.thread = true));
    }
  }

  /** Whether it is of somebody who joined after the thread was read; those who left are not asked for again and again. */
  #isStranger({ sender_id: sender, thread_seq: seq }: Message): boolean {
    const { participants = [], last_seq: last = 0 } = this.thread ?? {};
    return seq > last && participants.every((each) => each.sender_id !== sender);
  }

  #takeThread(thread: ThreadView): void {
    if (this.thread === undefined && this.state !== "new") {
      this.readTo = thread.participants.find((each) => each.sender_id === this.#me)?.last_read_seq ?? 0;
    }
    this.thread = thread;
  }
}

import { ParleyError, type ThreadView } from "@parley/client";
import type { LiveEvent } from "../../connection/line";
import { EventQueue } from "./event-queue";
import { hear } from "./hearing";
import { Intake } from "./intake";
import { Listeners } from "./listeners";
import { Live } from "./live";
import { MessageIndex } from "./message-index";
import { NewLine } from "./new-line";
import { Pages } from "./pages";
import { Reader } from "./reader";
import { RunBook } from "./run-book";
import type { ThreadSource } from "./source";

const RETRY_MS = 2_000;

/**
 * A thread as it is read and heard: rows by their seq, what is growing at the end, and its runs. Events are hints to
 * read; only what is being said right now is taken from them.
 */
export class ThreadModel {
  /** New if the server does not know of it, lost if its reader is not in it any more. */
  state: "loading" | "ready" | "new" | "lost" | "failed";
  error: unknown;
  thread: ThreadView | undefined;
  /** What everybody is called who was in it since it was opened. */
  readonly names = new Map<string, string>();
  readonly changes = new Listeners();
  readonly pages = new Pages();
  readonly index = new MessageIndex();
  readonly live = new Live((id) => this.index.seqOf(id) !== undefined);
  readonly intake = new Intake(this.pages, this.index, this.live);
  readonly runs = new RunBook();
  readonly reader: Reader;
  readonly newLine: NewLine;
  readonly me: string;
  readonly #queue = new EventQueue(() => this.#applyEvents());
  #isJoining = false;
  #again: ReturnType<typeof setTimeout> | undefined;

  /** @param isNew whether the server does not know of it yet */
  constructor(source: ThreadSource, me: string, isNew = false) {
    this.me = me;
    this.newLine = new NewLine(me);
    this.reader = new Reader(this, source);
    this.state = isNew ? "new" : "loading";
  }

  get refresh(): Reader["refresh"] {
    return this.reader.refresh;
  }

  /**
   * The thread is followed from here on, and what active runs have said so far is told next: what was heard before is
   * void, and what is heard from now on waits until everything was read anew.
   */
  join(): Promise<void> {
    this.#queue.take();
    return this.read();
  }

  /** Reads everything anew, and then applies what was heard since it was joined. */
  async read(): Promise<void> {
    this.#isJoining = true;
    clearTimeout(this.#again);
    try {
      if (await this.reader.readAnew()) {
        this.state = "ready";
        this.#isJoining = false;
        this.#applyEvents();
      }
    } catch (error) {
      this.error = error;
      this.state = this.#stateAfter(error);
      if (this.state === "ready") {
        this.#again = setTimeout(() => void this.read(), RETRY_MS);
      }
      this.changes.tell();
    }
  }

  /** Nobody looks at it any more. */
  leave(): void {
    clearTimeout(this.#again);
    this.reader.drop();
    this.refresh.close();
  }

  /** What could be read once stays to be looked at. */
  #stateAfter(error: unknown): ThreadModel["state"] {
    if (error instanceof ParleyError && error.status === 404) {
      return this.#stateWithout();
    }
    return this.state === "ready" ? "ready" : "failed";
  }

  #stateWithout(): ThreadModel["state"] {
    return this.thread === undefined ? "new" : "lost";
  }

  /** It is not there, or not any more. What was read can still be looked at. */
  lose(): void {
    clearTimeout(this.#again);
    this.reader.drop();
    this.state = this.#stateWithout();
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

  /** Reads what is looked at, as far as that is needed. */
  want(first: number, last: number): void {
    if (this.state === "ready") {
      const near = Math.floor((first + last) / 2);
      this.pages.missing(first, last).forEach((page) => void this.reader.readPage(page, near));
    }
  }

  takeThread(thread: ThreadView): void {
    if (this.thread === undefined && this.state !== "new") {
      const readTo = thread.participants.find((each) => each.sender_id === this.me)?.last_read_seq ?? 0;
      this.newLine.open(readTo, thread.last_seq, thread.unread_count);
    }
    this.thread = thread;
    thread.participants.forEach((each) => each.display_name && this.names.set(each.sender_id, each.display_name));
  }
}

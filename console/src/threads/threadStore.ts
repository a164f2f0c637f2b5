import { ParleyError, type InboxHint, type Parley, type ThreadView } from "@parley/client";
import type { Line } from "../connection/line";

/** What the list of threads shows. */
export interface ThreadListView {
  threads: ThreadView[];
  more: boolean;
  loading: boolean;
  error: unknown;
  query: string;
  archived: boolean;
}

const TOGETHER_MS = 80;
const PAGE_SIZE = 50;
const MOST_AT_ONCE = 200;

/**
 * One's threads as they are now, the most active first. Hints say which of them changed; those are read again, several at
 * once, and the list is put in order. A thread that is looked at is known here too, though the list may not show it.
 */
export class ThreadStore {
  readonly #parley: Parley;
  readonly #known = new Map<string, ThreadView>();
  readonly #listeners = new Set<() => void>();
  readonly #stale = new Set<string>();
  readonly #missing = new Set<string>();
  #listed: string[] = [];
  #cursor: string | null = null;
  #round = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #view: ThreadListView = { threads: [], more: false, loading: true, error: undefined, query: "", archived: false };

  constructor(parley: Parley) {
    this.#parley = parley;
  }

  /** Keeps up with what the line tells, until the returned function is called. */
  follow(line: Line): () => void {
    void this.reload();
    return line.onInbox((hint) => (hint === undefined ? void this.reload() : this.#heard(hint)));
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly view = (): ThreadListView => this.#view;

  thread(threadId: string): ThreadView | undefined {
    return this.#known.get(threadId);
  }

  /** Whether there was no such thread when it was last read. */
  isMissing(threadId: string): boolean {
    return this.#missing.has(threadId);
  }

  search(query: string, archived: boolean): void {
    this.#show({ query, archived });
    void this.reload();
  }

  async reload(): Promise<void> {
    const round = ++this.#round;
    this.#show({ loading: true });
    try {
      // As many as there were: who has gone far down shall not lose the place.
      const limit = Math.min(Math.max(PAGE_SIZE, this.#listed.length), MOST_AT_ONCE);
      const page = await this.#parley.threads.list({ ...this.#wanted(), limit });
      if (round === this.#round) {
        this.#learn(page.threads);
        this.#listed = page.threads.map((thread) => thread.thread_id);
        this.#cursor = page.next_cursor;
        this.#show({ loading: false, error: undefined });
      }
    } catch (error) {
      if (round === this.#round) {
        this.#show({ loading: false, error });
      }
    }
  }

  async more(): Promise<void> {
    const round = this.#round;
    if (this.#cursor === null) {
      return;
    }
    try {
      const page = await this.#parley.threads.list({ ...this.#wanted(), limit: PAGE_SIZE, cursor: this.#cursor });
      if (round === this.#round) {
        this.#learn(page.threads);
        this.#listed = [...new Set([...this.#listed, ...page.threads.map((thread) => thread.thread_id)])];
        this.#cursor = page.next_cursor;
        this.#show({ error: undefined });
      }
    } catch (error) {
      this.#show({ error });
    }
  }

  /** Takes a page of the list, except threads that were read later than the page. */
  #learn(threads: readonly ThreadView[]): void {
    threads.filter((each) => !this.#knowsNewer(each)).forEach((each) => this.#known.set(each.thread_id, each));
  }

  #knowsNewer({ thread_id: threadId, last_seq: lastSeq }: ThreadView): boolean {
    return (this.#known.get(threadId)?.last_seq ?? 0) > lastSeq;
  }

  /** Has a thread read again, together with others that are due. */
  refresh(threadId: string): void {
    this.#stale.add(threadId);
    this.#timer ??= setTimeout(() => void this.#readStale(), TOGETHER_MS);
  }

  /** Takes a thread as it was just read or changed, unless a later reading was quicker. */
  put(thread: ThreadView): void {
    if (this.#knowsNewer(thread)) {
      return;
    }
    this.#missing.delete(thread.thread_id);
    this.#known.set(thread.thread_id, thread);
    const belongs = thread.is_archived === this.#view.archived && this.#matches(thread);
    const others = this.#listed.filter((id) => id !== thread.thread_id);
    this.#listed = belongs ? [...others, thread.thread_id] : others;
    this.#show({});
  }

  forget(threadId: string): void {
    this.#missing.add(threadId);
    this.#known.delete(threadId);
    this.#listed = this.#listed.filter((id) => id !== threadId);
    this.#show({});
  }

  #heard(hint: InboxHint): void {
    this.refresh(hint.thread_id);
  }

  async #readStale(): Promise<void> {
    this.#timer = undefined;
    const due = [...this.#stale];
    this.#stale.clear();
    await Promise.all(due.map((threadId) => this.#read(threadId)));
  }

  async #read(threadId: string): Promise<void> {
    try {
      this.put(await this.#parley.thread(threadId).get());
    } catch (error) {
      if (error instanceof ParleyError && error.status === 404) {
        this.forget(threadId);
      }
      // Whatever else went wrong passes: the next hint reads it again.
    }
  }

  #wanted(): { q?: string | undefined; archived: boolean } {
    return { q: this.#view.query || undefined, archived: this.#view.archived };
  }

  /** The server's rule for the search: the title contains it, in upper or lower case. */
  #matches(thread: ThreadView): boolean {
    return (thread.title ?? "").toLowerCase().includes(this.#view.query.toLowerCase());
  }

  #show(change: Partial<ThreadListView>): void {
    const threads = this.#listed.map((id) => this.#known.get(id)).filter((thread) => thread !== undefined);
    threads.sort((one, other) => activity(other) - activity(one));
    this.#view = { ...this.#view, threads, more: this.#cursor !== null, ...change };
    this.#listeners.forEach((listener) => listener());
  }
}

const activity = (thread: ThreadView): number => Date.parse(thread.last_message_at ?? thread.created_at);

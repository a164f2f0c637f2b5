import { ParleyError, type Parley, type StreamItem, type StreamState, type WatchStream } from "@parley/client";
import type { FromHub, Page } from "./hubMessages";
import type { LineState, LiveEvent } from "./line";
import { Replay } from "./replay";

type Heard = Extract<StreamItem, { kind: "event" }>;

/** A thread that some page looks at. */
class Followed {
  readonly pages = new Set<Page>();
  readonly replay = new Replay();
  /** Whether its pages were told to read it: from then on they miss nothing. */
  joined = false;
}

const AGAIN_MS = 5_000;
/** So many threads does a server follow by one connection, unless it is configured otherwise. */
const MOST_THREADS = 32;

/** Follows the server by one connection, on behalf of all pages that listen. */
export class Hub {
  readonly #pages = new Set<Page>();
  readonly #threads = new Map<string, Followed>();
  #connect: (() => Parley) | undefined;
  #stream: WatchStream | undefined;
  #state: LineState = "connecting";
  #most = MOST_THREADS;

  /** Begins to follow, or begins anew with another token. */
  start(connect: () => Parley): void {
    this.#connect = connect;
    this.restart();
  }

  /** Whether it follows nothing, since nobody listens or it was refused. */
  get isIdle(): boolean {
    return this.#stream === undefined || this.#state === "refused";
  }

  /** Connects at once, instead of when the time has come to try again. */
  restart(): void {
    const positions = this.#positions();
    this.#stream?.close();
    void this.#follow(positions);
  }

  /** How far each thread was heard. */
  #positions(): Map<string, number | undefined> {
    return new Map([...this.#threads.keys()].map((threadId) => [threadId, this.#stream?.position(threadId)]));
  }

  add(page: Page): void {
    this.#pages.add(page);
    page.tell({ type: "state", state: this.#state });
  }

  remove(page: Page): void {
    this.#pages.delete(page);
    [...this.#threads.keys()].forEach((threadId) => this.unwatch(page, threadId));
    if (this.#pages.size === 0) {
      this.#stream?.close();
      this.#stream = undefined;
    }
  }

  watch(page: Page, threadId: string): void {
    let followed = this.#threads.get(threadId);
    if (followed === undefined && this.#threads.size >= this.#most) {
      // It can be read, though not watched.
      page.tell({ type: "join", threadId });
      return;
    }
    if (followed === undefined) {
      followed = new Followed();
      this.#threads.set(threadId, followed);
      this.#stream?.watch(threadId);
    }
    followed.pages.add(page);
    if (followed.joined) {
      page.tell({ type: "join", threadId });
      followed.replay.events.forEach(({ event, position }) => page.tell({ type: "event", threadId, position, event }));
    }
  }

  unwatch(page: Page, threadId: string): void {
    const followed = this.#threads.get(threadId);
    if (followed?.pages.delete(page) && followed.pages.size === 0) {
      this.#threads.delete(threadId);
      this.#stream?.unwatch(threadId);
    }
  }

  async #follow(positions: Map<string, number | undefined>): Promise<void> {
    if (this.#connect === undefined || this.#pages.size === 0) {
      return;
    }
    const stream = this.#connect().stream({ onState: (state) => this.#stream === stream && this.#note(state) });
    this.#stream = stream;
    this.#threads.forEach((followed, threadId) => {
      const position = positions.get(threadId);
      followed.joined &&= position !== undefined;
      stream.watch(threadId, position);
    });
    try {
      for await (const item of stream) {
        if (this.#stream !== stream) {
          return;
        }
        switch (item.kind) {
          case "ready":
            this.#ready();
            break;
          case "inbox":
            this.#tellAll({ type: "inbox", hint: item.hint });
            break;
          case "event":
            this.#heard(item);
            break;
          case "typing":
            this.#tellThread(item.typing.thread_id, { type: "typing", typing: item.typing });
            break;
          case "gone":
            this.#tellThread(item.threadId, { type: "gone", threadId: item.threadId });
            this.#threads.delete(item.threadId);
            break;
        }
      }
    } catch (failure) {
      if (this.#stream === stream) {
        this.#failed(failure);
      }
    }
  }

  #failed(failure: unknown): void {
    if (failure instanceof ParleyError && (failure.status === 401 || failure.status === 403)) {
      this.#become("refused");
      return;
    }
    if (failure instanceof ParleyError && failure.status === 400 && this.#threads.size > 0) {
      this.#followFewer();
      return;
    }
    this.#become("lost");
    const failed = this.#stream;
    setTimeout(() => this.#stream === failed && this.restart(), AGAIN_MS);
  }

  /** This server follows fewer than others: the thread that came last is read, though not watched. */
  #followFewer(): void {
    const [last] = [...this.#threads.keys()].slice(-1);
    this.#tellThread(last!, { type: "join", threadId: last! });
    this.#threads.delete(last!);
    this.#most = this.#threads.size;
    this.restart();
  }

  /** Connected, perhaps once more: what was followed before goes on where it was, what is new has to be read. */
  #ready(): void {
    this.#become("open");
    this.#tellAll({ type: "inbox" });
    this.#threads.forEach((followed, threadId) => {
      if (!followed.joined && this.#stream?.position(threadId) !== undefined) {
        followed.joined = true;
        this.#tellThread(threadId, { type: "join", threadId });
      }
    });
  }

  #heard({ threadId, position, event, runId, resync }: Heard): void {
    const followed = this.#threads.get(threadId);
    if (followed === undefined) {
      return;
    }
    if (resync !== undefined) {
      followed.replay.clear();
      this.#tellThread(threadId, { type: "join", threadId });
      return;
    }
    const live = event as unknown as LiveEvent;
    followed.replay.add({ event: live, position, runId });
    this.#tellThread(threadId, { type: "event", threadId, position, event: live });
  }

  #note(state: StreamState): void {
    if (state.kind === "waiting") {
      this.#become("lost");
    }
  }

  #become(state: LineState): void {
    this.#state = state;
    this.#tellAll({ type: "state", state });
  }

  #tellAll(message: FromHub): void {
    this.#pages.forEach((page) => page.tell(message));
  }

  #tellThread(threadId: string, message: FromHub): void {
    this.#threads.get(threadId)?.pages.forEach((page) => page.tell(message));
  }
}

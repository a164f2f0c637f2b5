import { ParleyError, type InboxHint, type WatchStream, type Parley, type StreamState, type Typing } from "@parley/client";
import type { LineState, LiveEvent } from "./line";
import { Replay } from "./replay";

/** What a page asks of the hub. */
export type ToHub =
  | { type: "hello"; url: string; token?: string | undefined; lock?: string | undefined }
  | { type: "watch"; threadId: string }
  | { type: "unwatch"; threadId: string }
  | { type: "bye" };

/** What the hub tells a page. */
export type FromHub =
  | { type: "state"; state: LineState }
  | { type: "inbox"; hint?: InboxHint | undefined }
  | { type: "join"; threadId: string }
  | { type: "event"; threadId: string; position: number; event: LiveEvent }
  | { type: "typing"; typing: Typing }
  | { type: "gone"; threadId: string };

/** A page that listens. */
export interface Page {
  tell(message: FromHub): void;
}

/** A thread that some page looks at. */
class Followed {
  readonly pages = new Set<Page>();
  readonly replay = new Replay();
  /** The last position that was heard of; before that, a new connection begins wherever the thread is then. */
  position: number | undefined;
  joined = false;
}

const AGAIN_MS = 5_000;

/** Follows the server by one connection, on behalf of all pages that listen. */
export class Hub {
  readonly #pages = new Set<Page>();
  readonly #threads = new Map<string, Followed>();
  #connect: (() => Parley) | undefined;
  #stream: WatchStream | undefined;
  #state: LineState = "connecting";

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
    this.#stream?.close();
    void this.#follow();
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

  async #follow(): Promise<void> {
    if (this.#connect === undefined) {
      return;
    }
    const stream = this.#connect().stream({ onState: (state) => this.#stream === stream && this.#note(state) });
    this.#stream = stream;
    this.#threads.forEach((followed, threadId) => stream.watch(threadId, followed.position));
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
            this.#heard(item.threadId, item.position, item.event as unknown as LiveEvent);
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
    if (failure instanceof ParleyError && !failure.retryable) {
      this.#become("refused");
    } else {
      this.#become("lost");
      setTimeout(() => this.#state === "lost" && void this.#follow(), AGAIN_MS);
    }
  }

  /** Connected, perhaps once more: what has a position goes on there, everything else has to be read again. */
  #ready(): void {
    this.#become("open");
    this.#tellAll({ type: "inbox" });
    this.#threads.forEach((followed, threadId) => {
      if (followed.position === undefined) {
        followed.joined = true;
        this.#tellThread(threadId, { type: "join", threadId });
      }
    });
  }

  #heard(threadId: string, position: number, event: LiveEvent): void {
    const followed = this.#threads.get(threadId);
    if (followed === undefined) {
      return;
    }
    followed.position = position;
    if (event.type === "CUSTOM" && event.name === "resync") {
      followed.replay.clear();
      this.#tellThread(threadId, { type: "join", threadId });
      return;
    }
    followed.replay.add({ event, position });
    this.#tellThread(threadId, { type: "event", threadId, position, event });
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

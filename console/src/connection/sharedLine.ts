import { freshId, type InboxHint } from "@parley/client";
import type { FromHub, ToHub } from "./hubMessages";
import type { Line, LineState, ThreadListener } from "./line";

/** The page's end of the hub: hands on what the hub tells to those on the page who want to hear it. */
export class SharedLine implements Line {
  readonly #port: MessagePort;
  readonly #threads = new Map<string, Set<ThreadListener>>();
  readonly #inbox = new Set<(hint: InboxHint | undefined) => void>();
  readonly #states = new Set<() => void>();
  #state: LineState = "connecting";

  readonly #url: string;
  #token: string | undefined;

  constructor(port: MessagePort, url: string, token: string | undefined) {
    this.#port = port;
    this.#url = url;
    this.#token = token;
    port.onmessage = ({ data }: MessageEvent<FromHub>) => this.#heard(data);
    this.#greet();
    const lock = `parley-page-${freshId()}`;
    // The hub hears of the lock once the page has it: whoever asks first gets it, and the hub would take the page for gone.
    void navigator.locks?.request(lock, () => {
      this.#ask({ type: "lock", lock });
      return new Promise(() => {});
    });
    // A page that is kept aside may come back; meanwhile it needs nothing.
    addEventListener("pagehide", () => this.#ask({ type: "bye" }));
    addEventListener("pageshow", (event) => event.persisted && this.#greet());
  }

  #greet(): void {
    this.#ask({ type: "hello", url: this.#url, token: this.#token });
    this.#threads.forEach((_, threadId) => this.#ask({ type: "watch", threadId }));
  }

  renew(token: string): void {
    this.#token = token;
    this.#ask({ type: "hello", url: this.#url, token });
  }

  watch(threadId: string, listener: ThreadListener): () => void {
    const known = this.#threads.get(threadId);
    if (known === undefined) {
      this.#threads.set(threadId, new Set([listener]));
      this.#ask({ type: "watch", threadId });
    } else {
      known.add(listener);
      // So that it gets what came before, too. The others hear it twice, which they are prepared for.
      this.#ask({ type: "watch", threadId });
    }
    return () => {
      const listeners = this.#threads.get(threadId);
      if (listeners?.delete(listener) && listeners.size === 0) {
        this.#threads.delete(threadId);
        this.#ask({ type: "unwatch", threadId });
      }
    };
  }

  onInbox(listener: (hint: InboxHint | undefined) => void): () => void {
    this.#inbox.add(listener);
    return () => this.#inbox.delete(listener);
  }

  readonly state = (): LineState => this.#state;

  readonly onState = (listener: () => void): (() => void) => {
    this.#states.add(listener);
    return () => this.#states.delete(listener);
  };

  #ask(message: ToHub): void {
    this.#port.postMessage(message);
  }

  #heard(message: FromHub): void {
    switch (message.type) {
      case "state":
        this.#state = message.state;
        this.#states.forEach((listener) => listener());
        break;
      case "inbox":
        this.#inbox.forEach((listener) => listener(message.hint));
        break;
      case "join":
        this.#of(message.threadId).forEach((listener) => listener.onJoin());
        break;
      case "event":
        this.#of(message.threadId).forEach((listener) => listener.onEvent(message.event, message.position));
        break;
      case "typing":
        this.#of(message.typing.thread_id).forEach((listener) => listener.onTyping?.(message.typing));
        break;
      case "gone":
        this.#of(message.threadId).forEach((listener) => listener.onGone?.());
        break;
    }
  }

  #of(threadId: string): Iterable<ThreadListener> & { forEach(each: (listener: ThreadListener) => void): void } {
    return [...(this.#threads.get(threadId) ?? [])];
  }
}

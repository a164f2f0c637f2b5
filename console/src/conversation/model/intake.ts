import type { Message } from "@parley/client";
import type { Live } from "./live";
import { keysOf, type MessageIndex } from "./message-index";
import type { Pages } from "./pages";

/** Puts committed messages in their places, and in those of what grew or was on its way. */
export class Intake {
  readonly #pages: Pages;
  readonly #index: MessageIndex;
  readonly #live: Live;
  /** The keys of rows that were shown before they had a seq. */
  readonly #heirs = new Map<number, string>();
  #pendingKeys: readonly string[] = [];

  constructor(pages: Pages, index: MessageIndex, live: Live) {
    this.#pages = pages;
    this.#index = index;
    this.#live = live;
  }

  /** What a row is known by; its seq, unless it was shown before it had one. */
  keyOf(seq: number): string | number {
    return this.#heirs.get(seq) ?? seq;
  }

  /** Notes the keys of what is on its way. */
  expect(pendingKeys: readonly string[]): void {
    this.#pendingKeys = pendingKeys;
  }

  take(from: number, to: number, messages: readonly Message[]): void {
    this.#pages.take(from, to, messages);
    for (const message of messages) {
      const pending = keysOf(message).find((key) => this.#pendingKeys.includes(key));
      const key = this.#live.commit(message) ?? (pending === undefined ? undefined : `pending:${pending}`);
      if (key !== undefined) {
        this.#heirs.set(message.thread_seq, key);
      }
      this.#index.add(message);
    }
  }
}

import type { Message } from "@parley/client";

/** How many messages are read at once. */
export const PAGE = 100;
/** How many pages are kept around what is looked at. */
const KEPT = 20;

/** What stands at a seq: a message, nothing that takes room (a revision), or something that was not read yet. */
export type Row = Message | null | undefined;

export const pageOf = (seq: number): number => Math.floor((seq - 1) / PAGE);
const firstOf = (page: number): number => page * PAGE + 1;

/**
 * The messages of a thread as far as they were read. Every position of the log from 1 to the last is a row, so that any
 * part can be looked at without reading what is before or behind it. Only what is near the view is kept.
 */
export class Pages {
  /** The last position that is shown; what was committed after it comes with the next read of the end. */
  lastSeq = 0;
  readonly #rows = new Map<number, Message>();
  readonly #known = new Set<number>();
  /** Pages that were read, but have to be read again where they are looked at. */
  #stale = new Set<number>();

  row(seq: number): Row {
    return this.#rows.get(seq) ?? (this.#known.has(pageOf(seq)) ? null : undefined);
  }

  /** The messages that are kept, in the order in which they were read. */
  messages(): IterableIterator<Message> {
    return this.#rows.values();
  }

  /** What was read may have changed since: it stays until it is looked at and read again. */
  doubt(): void {
    this.#stale = new Set(this.#known);
  }

  /** Takes what was read of the positions from one to another, which is all that there is. */
  take(from: number, to: number, messages: readonly Message[]): void {
    const before = this.lastSeq;
    for (let seq = from; seq <= Math.min(to, before); seq++) {
      this.#rows.delete(seq);
    }
    for (const message of messages) {
      if (message.thread_seq >= from && message.thread_seq <= to) {
        this.#rows.set(message.thread_seq, message);
      }
    }
    this.lastSeq = Math.max(before, to);
    for (let page = pageOf(Math.max(1, from)); page <= pageOf(Math.max(1, to)); page++) {
      const begins = from <= firstOf(page) || (this.#known.has(page) && from <= before + 1);
      const ends = to >= Math.min(firstOf(page) + PAGE - 1, this.lastSeq);
      if (begins && ends) {
        this.#known.add(page);
        if (from <= firstOf(page)) {
          this.#stale.delete(page);
        }
      } else if (this.lastSeq > before && page === pageOf(before)) {
        this.#known.delete(page);
      }
    }
  }

  /** So much was said meanwhile that it is read when it is looked at. */
  skipTo(lastSeq: number): void {
    if (lastSeq > this.lastSeq) {
      this.#known.delete(pageOf(Math.max(1, this.lastSeq)));
      this.lastSeq = lastSeq;
    }
  }

  /** The pages between two positions that have to be read. */
  missing(first: number, last: number): number[] {
    const missing: number[] = [];
    for (let page = pageOf(Math.max(1, first)); page <= pageOf(Math.min(last, this.lastSeq)); page++) {
      if (!this.#known.has(page) || this.#stale.has(page)) {
        missing.push(page);
      }
    }
    return missing;
  }

  /** Keeps the pages that are nearest to a position, and the end of the thread. */
  keepNear(seq: number): void {
    if (this.#known.size <= KEPT + 2) {
      return;
    }
    const here = pageOf(Math.max(1, seq));
    const end = pageOf(Math.max(1, this.lastSeq));
    const distance = (page: number): number => (page >= end - 1 ? -1 : Math.abs(page - here));
    const kept = [...this.#known].sort((one, other) => distance(one) - distance(other)).slice(0, KEPT);
    const keeps = new Set(kept);
    for (const each of this.#rows.keys()) {
      if (!keeps.has(pageOf(each))) {
        this.#rows.delete(each);
      }
    }
    this.#known.clear();
    kept.forEach((page) => this.#known.add(page));
  }
}

/** Positions as few stretches, each of which can be read at once. */
export function stretches(seqs: number[]): [number, number][] {
  const found: [number, number][] = [];
  for (const seq of seqs.sort((one, other) => one - other)) {
    const last = found.at(-1);
    if (last !== undefined && seq - last[0] < PAGE) {
      last[1] = seq;
    } else {
      found.push([seq, seq]);
    }
  }
  return found;
}

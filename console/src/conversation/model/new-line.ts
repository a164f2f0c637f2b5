import type { Message } from "@parley/client";

/** How a reader looks at a thread. */
export interface Look {
  /** Whether the page is on the screen, and whether its end is in view. */
  isVisible: boolean;
  isAtEnd: boolean;
  /** The keys of what stands after the last committed message. */
  tailKeys: readonly string[];
}

/** A committed entry: its message, null for a revision, undefined if it was not read. */
export interface Arrival {
  seq: number;
  key: string | number;
  message: Message | null | undefined;
}

/**
 * The line above the first message by others that arrived while the thread was not looked at. It stays while its reader
 * reads on; the reader's own message takes it away, and so does leaving the page with its end in view.
 */
export class NewLine {
  readonly #me: string;
  readonly #seenKeys = new Set<string | number>();
  #after = 0;
  #noted = 0;
  #isDrawn = false;
  #look: Look = { isVisible: false, isAtEnd: false, tailKeys: [] };

  constructor(me: string) {
    this.#me = me;
  }

  /** The last position above the line; zero if there is no line, since a thread that was never read is new as a whole. */
  get after(): number {
    return this.#after;
  }

  /** The thread is opened by a reader who has read it up to a position. */
  open(readTo: number, lastSeq: number, unread: number): void {
    this.#after = readTo;
    this.#noted = lastSeq;
    this.#isDrawn = unread > 0;
  }

  look(look: Look): void {
    const { isVisible, isAtEnd } = this.#look;
    if (isVisible && isAtEnd && !look.isVisible) {
      this.#readTo(this.#noted);
    }
    this.#look = look;
    if (look.isVisible && look.isAtEnd) {
      look.tailKeys.forEach((key) => this.#seenKeys.add(key));
    }
  }

  /** Judges an entry once, when it arrives; entries arrive in the order of the log. */
  note({ seq, key, message }: Arrival): void {
    if (seq <= this.#noted) {
      return;
    }
    this.#noted = seq;
    // An answer that its reader saw growing is watched, also if the reader has scrolled up since.
    const wasSeenGrowing = this.#seenKeys.delete(key);
    const isWatched = this.#look.isVisible && (this.#look.isAtEnd || wasSeenGrowing);
    if (message?.sender_id === this.#me || (!this.#isDrawn && (isWatched || message === null))) {
      this.#readTo(seq);
    } else if (message !== null) {
      this.#isDrawn = true;
    }
  }

  #readTo(seq: number): void {
    this.#after = seq;
    this.#isDrawn = false;
  }
}

import type { InboxHint, Typing } from "@parley/client";

/** An event of a run or a thread, as AG-UI has it. */
export type LiveEvent = { type: string; [member: string]: unknown };

/** Whether what is shown is live: `open`, on its way there, or given up because the server refused. */
export type LineState = "connecting" | "open" | "lost" | "refused";

/** What somebody who looks at a thread is told. */
export interface ThreadListener {
  /**
   * The thread is followed from here on: read it now. What active runs have said so far comes next, as events. Told again
   * if what came before does not lead on to what comes next.
   */
  onJoin(): void;
  onEvent(event: LiveEvent, position: number): void;
  onTyping?(typing: Typing): void;
  /** It cannot be read any more. */
  onGone?(): void;
}

/**
 * The one connection by which all tabs of a browser follow the server. Everything that is open in any of them comes over
 * it, however many there are.
 */
export interface Line {
  /** Follows a thread until the returned function is called. */
  watch(threadId: string, listener: ThreadListener): () => void;
  /** Hears of changes in all of one's threads, and, with no hint, whenever hints may have been missed. */
  onInbox(listener: (hint: InboxHint | undefined) => void): () => void;
  /** Where it stands; for React's useSyncExternalStore. */
  state(): LineState;
  onState(listener: () => void): () => void;
  /** Goes on with another token. */
  renew(token: string): void;
}

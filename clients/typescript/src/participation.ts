import type { Actor, ParticipationMode } from "./types/chat.js";

/**
 * Whether entries were added since `baseSeq`. Without a `baseSeq` nothing is known, so the answer is no, as the server
 * then says `stale: null`. The server's own `stale` also knows whose messages were missed.
 */
export function isStale(baseSeq: number | null | undefined, current: number | null | undefined): boolean {
  return computeStaleLag(baseSeq, current) > 0;
}

/** The number of entries that were added since `baseSeq`; 0 without a `baseSeq` or a current seq. */
export function computeStaleLag(baseSeq: number | null | undefined, current: number | null | undefined): number {
  return typeof baseSeq === "number" && typeof current === "number" ? Math.max(0, current - baseSeq) : 0;
}

/** The facts by which the receiver of a message decides whether to answer. */
export interface Heard {
  /** The mode that holds for the receiver; `open` if absent. */
  mode?: ParticipationMode | null | undefined;
  me: Actor;
  /** Null for events without a sender, such as `run_updated`. */
  sender: Actor | null | undefined;
  mentions?: readonly Actor[] | null | undefined;
}

/**
 * True if `me`, an agent, is meant to answer a message; false without a sender. The server's own `should_respond` knows
 * more: the limits on agents answering agents.
 */
export function shouldRespond({ mode, me, sender, mentions }: Heard): boolean {
  if (sender === null || sender === undefined || sender === me) {
    return false;
  }
  const isHuman = !sender.startsWith("agent:") && !sender.startsWith("system:");
  return (mentions ?? []).includes(me) || (mode !== "invocation_only" && isHuman);
}

import type { Actor, ParticipationMode } from "./types/chat.js";

/** Whether anything was added since. The server's own `stale` knows more: whose messages were missed. */
export function isStale(baseSeq: number, current: number): boolean {
  return baseSeq < current;
}

/** How many entries were added since `baseSeq`. */
export function computeStaleLag(baseSeq: number, current: number): number {
  return Math.max(0, current - baseSeq);
}

/** What there is to know about a message before its receiver decides whether to answer. */
export interface Heard {
  /** The mode that holds for the receiver. */
  mode: ParticipationMode;
  me: Actor;
  sender: Actor;
  mentions: readonly Actor[];
}

/**
 * Whether `me`, an agent, is meant to answer a message. The server's own `should_respond` knows more: the limits on
 * agents answering agents.
 */
export function shouldRespond({ mode, me, sender, mentions }: Heard): boolean {
  if (sender === me) {
    return false;
  }
  const human = !sender.startsWith("agent:") && !sender.startsWith("system:");
  return mentions.includes(me) || (mode !== "invocation_only" && human);
}

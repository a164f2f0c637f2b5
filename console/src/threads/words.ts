import type { ThreadView } from "@parley/client";

/** What a thread is called where its title would stand. */
export const titleOf = (thread: ThreadView): string => thread.title ?? "Untitled";

/** The platforms that speak in a thread: what stands before the ids of its external people. */
export function sourcesOf({ participants }: ThreadView): string[] {
  const prefixes = participants
    .filter((each) => each.participant_kind === "external")
    .map((each) => each.sender_id.slice(0, each.sender_id.indexOf(":")));
  return [...new Set(prefixes)].sort();
}

/** The count as it is shown: the server counts to 99. */
export const unreadLabel = (count: number): string => (count > 99 ? "99+" : String(count));

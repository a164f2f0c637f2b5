import type { LiveEvent } from "../../connection/line";

/** What events have that say something. */
export type Spoken = LiveEvent & { messageId?: string; delta?: string; toolCallId?: string };

export function runIdOf(event: LiveEvent): string {
  const metadata = event["metadata"] as { runId?: unknown } | undefined;
  return typeof metadata?.runId === "string" ? metadata.runId : "";
}

/** The member of a team that an event is of. */
export const memberOf = (event: LiveEvent): string | undefined => event["subagentRunId"] as string | undefined;

/** Whoever speaks in a run: the agent itself, or one of its team. */
export const speakerOf = (event: LiveEvent): string => `${runIdOf(event)} ${memberOf(event) ?? ""}`;

export const atOf = (event: LiveEvent): number =>
  typeof event["timestamp"] === "number" ? event["timestamp"] : Date.now();

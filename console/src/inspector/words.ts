import type { RunEvent, RunState } from "@parley/client";
import type { Span } from "./spans";

export const STATE_TONES: Record<RunState, "plain" | "accent" | "good" | "warn" | "bad"> = {
  queued: "plain",
  running: "accent",
  waiting: "warn",
  completed: "good",
  failed: "bad",
  cancelled: "warn",
};

const KINDS = { stage: "Stage", text: "Text", reasoning: "Reasoning", tool: "Tool", member: "Member" } as const;

/** What a bar of the timeline is called. */
export function spanName(span: Span): string {
  return span.name === "" ? KINDS[span.kind] : `${KINDS[span.kind]} ${span.name}`;
}

const TRANSFORMS: Record<string, string> = {
  instructions: "instructions",
  tools: "the tools in words",
  header: "author's name in front",
  escaped: "lines escaped",
  other_agent: "said by another agent",
  fenced: "quoted between fences",
  recalled: "found again in earlier messages",
  moved: "moved behind its call",
  closed: "stands for a missing result",
  call_renamed: "call's id changed",
  tool_renamed: "tool's name changed",
  arguments_mended: "arguments mended",
  merged: "several messages in one",
  filled: "stands for an empty message",
  picture_named: "image named, not shown",
  shortened: "shortened",
};

/** What was done to a message on its way to the model, in plain words. */
export function transformText(transform: string): string {
  return TRANSFORMS[transform] ?? transform.replaceAll("_", " ");
}

/** An event in one line, without what its type says already. */
export function eventText(event: RunEvent): string {
  switch (event.type) {
    case "STEP_STARTED":
    case "STEP_FINISHED":
      return event.stepName;
    case "TEXT_MESSAGE_CONTENT":
    case "REASONING_MESSAGE_CONTENT":
    case "TOOL_CALL_ARGS":
      return event.delta;
    case "TOOL_CALL_START":
      return event.toolCallName;
    case "TOOL_CALL_RESULT":
      return typeof event.content === "string" ? event.content : JSON.stringify(event.content);
    case "RUN_ERROR":
    case "SUBAGENT_ERROR":
      return event.code === undefined ? event.message : `${event.code}: ${event.message}`;
    case "RUN_FINISHED":
      return event.outcome?.type ?? "";
    case "SUBAGENT_STARTED":
      return event.name;
    case "STATE_SNAPSHOT":
      return JSON.stringify(event.snapshot);
    case "STATE_DELTA":
      return JSON.stringify(event.delta);
    case "ACTIVITY_SNAPSHOT":
    case "ACTIVITY_DELTA":
      return event.activityType;
    case "CUSTOM":
      return event.name;
    default:
      return "";
  }
}

import type { JsonObject } from "./chat.js";
import type { ContentPart, GivenMessage } from "./given.js";

/** What every AG-UI event may carry. `metadata.runId` says whose it is. */
interface Common {
  timestamp?: number;
  rawEvent?: unknown;
  metadata?: JsonObject | null;
}

/** What may have been done by a member of a team. */
interface Attributed extends Common {
  subagentRunId?: string;
}

interface Spoken extends Attributed {
  messageId: string;
}

export interface TokenUsage {
  provider?: string;
  model?: string;
  inputTokens?: number;
  outputTokens?: number;
  totalTokens?: number;
  reasoningTokens?: number;
  cachedInputTokens?: number;
  cacheWriteInputTokens?: number;
}

/** A question that has to be answered before the agent goes on. */
export interface Interrupt {
  id: string;
  reason: string;
  message?: string;
  toolCallId?: string;
  responseSchema?: JsonObject;
  expiresAt?: string;
  metadata?: JsonObject;
  subagentRunId?: string;
}

export type RunOutcome =
  | { type: "success"; pendingToolCallIds?: string[] }
  | { type: "interrupt"; interrupts: Interrupt[] }
  | { type: "cancelled" };

export type LifecycleEvent =
  | (Common & { type: "RUN_STARTED"; threadId: string; runId: string; protocolVersion?: string; parentRunId?: string })
  | (Common & {
      type: "RUN_FINISHED";
      threadId: string;
      runId: string;
      result?: unknown;
      outcome?: RunOutcome;
      usage?: TokenUsage[];
    })
  | (Common & { type: "RUN_ERROR"; message: string; code?: string; usage?: TokenUsage[] })
  | (Attributed & { type: "STEP_STARTED" | "STEP_FINISHED"; stepName: string });

export type TextEvent =
  | (Spoken & { type: "TEXT_MESSAGE_START"; role?: string; name?: string })
  | (Spoken & { type: "TEXT_MESSAGE_CONTENT"; delta: string })
  | (Spoken & { type: "TEXT_MESSAGE_END" });

export type ReasoningEvent =
  | (Spoken & { type: "REASONING_START" | "REASONING_END" | "REASONING_MESSAGE_START" | "REASONING_MESSAGE_END" })
  | (Spoken & { type: "REASONING_MESSAGE_CONTENT"; delta: string });

export type ToolEvent =
  | (Attributed & { type: "TOOL_CALL_START"; toolCallId: string; toolCallName: string; parentMessageId?: string })
  | (Attributed & { type: "TOOL_CALL_ARGS"; toolCallId: string; delta: string })
  | (Attributed & { type: "TOOL_CALL_END"; toolCallId: string })
  | (Spoken & { type: "TOOL_CALL_RESULT"; toolCallId: string; content: string | ContentPart[]; role?: string });

export type SharedEvent =
  | (Attributed & { type: "STATE_SNAPSHOT"; snapshot: unknown })
  | (Attributed & { type: "STATE_DELTA"; delta: JsonObject[] })
  | (Common & { type: "MESSAGES_SNAPSHOT"; messages: GivenMessage[] })
  | (Spoken & { type: "ACTIVITY_SNAPSHOT"; activityType: string; content: JsonObject; replace?: boolean })
  | (Spoken & { type: "ACTIVITY_DELTA"; activityType: string; patch: JsonObject[] });

export type SubagentEvent =
  | (Common & {
      type: "SUBAGENT_STARTED";
      subagentRunId: string;
      name: string;
      description?: string;
      parentSubagentRunId?: string;
      parentToolCallId?: string;
      parentMessageId?: string;
    })
  | (Common & { type: "SUBAGENT_FINISHED"; subagentRunId: string; result?: unknown; outcome?: JsonObject })
  | (Common & { type: "SUBAGENT_ERROR"; subagentRunId: string; message: string; code?: string });

export type PassedEvent =
  | (Attributed & { type: "RAW"; event: unknown; source?: string })
  | (Attributed & { type: "CUSTOM"; name: string; value: unknown });

/** One event of a run or a thread. A later server may send types that are not listed here: leave those alone. */
export type RunEvent =
  | LifecycleEvent
  | TextEvent
  | ReasoningEvent
  | ToolEvent
  | SharedEvent
  | SubagentEvent
  | PassedEvent;

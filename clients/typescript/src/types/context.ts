import type { Actor, JsonObject } from "./chat.js";
import type { UpstreamFailure } from "./runs.js";

/** What an agent was shown. */
export interface RunContext {
  taskId: string;
  threadId: string;
  runId: string;
  agent: Actor;
  version: number | null;
  request: number | null;
  requests: number;
  provider: string | null;
  model: string | null;
  messages: ContextItem[];
  tools: ContextTool[];
  tokens: ContextTokens;
  hash: string | null;
  sentBytes: number | null;
  created: string | null;
  /** For operators and the agent's owner alone. */
  failure: UpstreamFailure | null;
}

export interface ContextItem {
  role: "system" | "user" | "assistant" | "tool";
  content: string | JsonObject[];
  toolCalls: ContextCall[] | null;
  toolCallId: string | null;
  toolName: string | null;
  failed: boolean | null;
  /** The entries that it was made of. */
  seqs: number[];
  /** What was done to them. */
  transform: string[];
}

export interface ContextCall {
  id: string;
  name: string;
  arguments: string;
}

export interface ContextTool {
  name: string;
  description: string;
  parameters: JsonObject | null;
}

export interface ContextTokens {
  estimated: number;
  input: number | null;
  output: number | null;
  cached: number | null;
  reasoning: number | null;
}

/** How what two runs were shown differs. */
export interface RunContextDiff {
  runId: string;
  otherRunId: string;
  same: number;
  removed: ContextItem[];
  added: ContextItem[];
  sameAtEnd: number;
  sameTools: boolean;
}

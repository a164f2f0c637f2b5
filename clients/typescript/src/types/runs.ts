import type { Actor, JsonObject, RunState } from "./chat.js";
import type { GivenMessage } from "./given.js";

/** What a run is started with: exactly one user message, which stands first. */
export interface RunAgentInput {
  threadId: string;
  /** The caller's key for this run. */
  runId: string;
  protocolVersion?: string | null;
  parentRunId?: string | null;
  state?: unknown;
  messages: GivenMessage[];
  tools?: Tool[] | null;
  context?: Context[] | null;
  forwardedProps?: RunWishes | null;
  resume?: ResumeEntry[] | null;
}

/** Who shall answer, and what becomes of a run that is active. */
export interface RunWishes {
  /** The agent's id, or its name if that is unique. */
  agentId?: string | null;
  multitaskStrategy?: "enqueue" | "reject" | "interrupt" | "rollback" | null;
  /** The user message to answer again. */
  regenerateFrom?: string | null;
}

/** A tool of the client's own. */
export interface Tool {
  name: string;
  description: string;
  parameters?: JsonObject | null;
  metadata?: JsonObject | null;
}

export interface Context {
  description: string;
  value: string;
}

/** The answer to an open interrupt. */
export interface ResumeEntry {
  interruptId: string;
  status: "resolved" | "cancelled";
  payload?: unknown;
  metadata?: JsonObject | null;
}

export interface TaskAccepted {
  taskId: string;
  threadId: string;
  runId: string;
  created: string;
}

export interface RunView {
  taskId: string;
  threadId: string;
  runId: string;
  agent: Actor;
  startedBy: Actor;
  state: RunState;
  parentRunId: string | null;
  rootRunId: string | null;
  triggers: number[];
  attempts: number;
  firstEvent: number | null;
  lastEvent: number | null;
  outcome: JsonObject | null;
  /** The ids of its questions that nobody has answered yet. */
  openInterrupts: string[];
  error: RunFailure | null;
  usage: RunUsage[];
  /** What its client sent; null in lists and for callers whom it does not concern. */
  input: JsonObject | null;
  created: string;
  started: string | null;
  ended: string | null;
}

export interface RunUsage {
  request: number;
  provider: string;
  model: string;
  inputTokens: number | null;
  outputTokens: number | null;
  cachedTokens: number | null;
  reasoningTokens: number | null;
  cost: number | null;
  currency: string | null;
}

export interface RunFailure {
  code: string | null;
  message: string;
  /** For operators and the agent's owner alone. */
  upstream: UpstreamFailure | null;
}

/** How the provider of a model failed. */
export interface UpstreamFailure {
  status: number | null;
  /** What was called, without its query. */
  address: string;
  /** The provider's own words, shortened and without keys. */
  message: string | null;
}

export interface RunPage {
  runs: RunView[];
  nextCursor: string | null;
}

export interface CancelAnswer {
  /** `accepted`: it is over now; `finished`: it was before. */
  status: "accepted" | "finished" | "unknown";
}

/** The state that the thread's agents and clients share. */
export interface SharedStateView {
  threadId: string;
  version: number;
  state: unknown;
}

export interface AttachmentUploaded {
  bucket: string;
  path: string;
  mime_type: string;
  url: string;
}

export interface AttachmentUrl {
  bucket: string;
  path: string;
  url: string;
}

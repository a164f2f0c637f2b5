import type { JsonObject } from "./chat.js";

/** The messages that a run may be given. Only the user's becomes an entry of the thread. */
export type GivenMessage =
  | UserMessage
  | AssistantMessage
  | ToolMessage
  | SystemMessage
  | DeveloperMessage
  | ReasoningMessage
  | ActivityMessage;

export type ContentPart = TextPart | BinaryPart | MediaPart;

export interface UserMessage {
  id: string;
  role: "user";
  content: string | ContentPart[];
  name?: string | null;
  encryptedValue?: string | null;
  metadata?: JsonObject | null;
  subagentRunId?: string | null;
}

export interface AssistantMessage {
  id: string;
  role: "assistant";
  content?: string | null;
  name?: string | null;
  toolCalls?: ToolCall[] | null;
  encryptedValue?: string | null;
  metadata?: JsonObject | null;
  subagentRunId?: string | null;
}

export interface ToolMessage {
  id: string;
  role: "tool";
  content: string | ContentPart[];
  toolCallId: string;
  error?: string | null;
  encryptedValue?: string | null;
  metadata?: JsonObject | null;
  subagentRunId?: string | null;
}

export interface SystemMessage {
  id: string;
  role: "system";
  content: string;
  name?: string | null;
  encryptedValue?: string | null;
  metadata?: JsonObject | null;
  subagentRunId?: string | null;
}

export interface DeveloperMessage {
  id: string;
  role: "developer";
  content: string;
  name?: string | null;
  encryptedValue?: string | null;
  metadata?: JsonObject | null;
  subagentRunId?: string | null;
}

export interface ReasoningMessage {
  id: string;
  role: "reasoning";
  content: string;
  encryptedValue?: string | null;
  metadata?: JsonObject | null;
  subagentRunId?: string | null;
}

export interface ActivityMessage {
  id: string;
  role: "activity";
  activityType: string;
  content: JsonObject;
  metadata?: JsonObject | null;
  subagentRunId?: string | null;
}

export interface TextPart {
  type: "text";
  text: string;
  id?: string | null;
  metadata?: unknown;
}

/** An image, by a signed URL of the server's own. */
export interface BinaryPart {
  type: "binary";
  mimeType: string;
  id?: string | null;
  url?: string | null;
  data?: string | null;
  filename?: string | null;
}

export interface MediaPart {
  type: "image" | "audio" | "video" | "document";
  source: MediaSource;
  id?: string | null;
  metadata?: unknown;
}

export interface MediaSource {
  type: "data" | "url" | "file";
  value: string;
  mimeType?: string | null;
  provider?: string | null;
}

export interface ToolCall {
  id: string;
  type: "function";
  function: ToolFunction;
  encryptedValue?: string | null;
  metadata?: JsonObject | null;
}

export interface ToolFunction {
  name: string;
  arguments: string;
}

import type { JsonObject } from "./chat.js";
import type { UiSchema } from "./ui.js";

/** One day of a thread, or the latest part of it if it was a long one. */
export interface HistoryDay {
  scope: "history_day";
  threadId: string | null;
  day: string | null;
  hasMore: boolean;
  messages: HistoryMessage[];
}

export type HistoryMessage = HistoryQuestion | HistoryAnswer;

/** What a user said. */
export interface HistoryQuestion {
  id: string;
  seq: number;
  role: "user";
  content: string;
  url: string | null;
  metadata: JsonObject | null;
  timestamp: string;
  attachments: HistoryAttachment[];
}

/** What an agent or a tool said. */
export interface HistoryAnswer {
  id: string;
  seq: number;
  role: "assistant" | "tool";
  content: string;
  uiSchema: UiSchema | null;
  metadata: JsonObject | null;
  timestamp: string;
  /** Tokens and cost of the model requests that made it, once its run has ended; null if unknown. */
  usage: HistoryUsage | null;
}

/** The tokens and the cost of the model requests that made a message; null where the provider did not tell. */
export interface HistoryUsage {
  inputTokens: number | null;
  outputTokens: number | null;
  cachedTokens: number | null;
  reasoningTokens: number | null;
  /** Null without a price, and where requests were paid in several currencies. */
  cost: number | null;
  currency: string | null;
}

export interface HistoryAttachment {
  bucket: string;
  path: string;
  mime_type: string | null;
  filename: string | null;
  width: number | null;
  height: number | null;
  url: string | null;
}

import type { ResumeEntry } from "@parley/client";

/** An image that was uploaded and goes with a message. */
export interface SentImage {
  bucket: string;
  path: string;
  mimeType: string;
  filename: string;
  width?: number | undefined;
  height?: number | undefined;
}

/** Something that was written and has not arrived yet. */
export interface Pending {
  /** Its idempotency key: the message's id, its `client_message_id`, and the id of the run it starts. */
  key: string;
  threadId: string;
  text: string;
  images: SentImage[];
  mentions: string[];
  /** Who shall answer; whoever should, if nobody is named. */
  agentId?: string | undefined;
  resume?: ResumeEntry[] | undefined;
  /** The user message that shall be answered again; then nothing new is said. */
  regenerateFrom?: string | undefined;
  createdAt: string;
  /** Why the server refused it; it stays until it is sent again or given up. */
  refusal?: string | undefined;
}

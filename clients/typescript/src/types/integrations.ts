import type { DeliveryState } from "./delivery.js";

/** Everything that became of one thing that a platform brought. */
export interface MessageTrace {
  event_id: string;
  source: string;
  /** Empty if the platform has none. */
  workspace_id: string;
  /** Null for a sender's own conversation. */
  channel_external_id: string | null;
  external_message_id: string | null;
  external_event_id: string | null;
  sender_id: string;
  /** Which user the sender is known to be. */
  linked_user: string | null;
  sender_is_bot: boolean;
  received_at: string;
  session_id: string;
  message_id: string;
  seq: number;
  /** The reading of the messages before it in its platform's thread; null if nothing was missing. */
  thread_history: TracedHistory | null;
  engagement: IngestEngagement;
  /** Since when it is answered after all, because it came once more and addressed an agent. */
  raised_at: string | null;
  run: TracedRun | null;
  deliveries: TracedDelivery[];
}

export interface MessageTracePage {
  traces: MessageTrace[];
}

/** Whether an agent answers it, and why or why not. */
export interface IngestEngagement {
  run: boolean;
  reason: string;
}

/** The messages that a platform has before a delivered one, and that its thread lacks. */
export interface TracedHistory {
  /** The platform that showed them, or `log`. */
  from: string;
  /** Number of messages in `thread_context`. */
  messages: number;
  /** Number of messages that were left out of it. */
  left_out: number;
  /** Why messages are missing, and what to do. */
  problem: string | null;
}

export interface TracedRun {
  run_id: string;
  state: string | null;
}

/** What became of one part of an answer. */
export interface TracedDelivery {
  delivery_id: string;
  source: string;
  workspace_id: string;
  channel_external_id: string;
  external_thread_id: string;
  part: number;
  parts: number;
  state: DeliveryState;
  attempts: number;
  external_id: string | null;
  problem: string | null;
  created_at: string;
  ended_at: string | null;
}

/** Where the caller wants to be known. */
export interface NewIdentityLink {
  source: string;
  /** Who the caller is there, with the source's prefix; without it whoever says the code. */
  sender_id?: string | null;
}

/** A link between the caller and a user of another platform. */
export interface IdentityLinkView {
  link_id: string;
  source: string;
  sender_id: string | null;
  state: "pending" | "linked";
  /** Shown once, when the link is begun. */
  code: string | null;
  /** What is to be said on the platform; shown with the code. */
  message: string | null;
  created_at: string;
  expires_at: string | null;
  linked_at: string | null;
}

export interface IdentityLinkPage {
  links: IdentityLinkView[];
}

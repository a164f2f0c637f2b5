import type { Actor } from "./chat.js";

/** A wish to be told of a thread's events. */
export interface NewWebhook {
  /** Where events are posted: https, and not a private address. */
  callback_url: string;
}

export interface WebhookView {
  webhook_id: string;
  thread_id: string;
  owner: Actor;
  callback_url: string;
  /** What events are signed with. Shown once, when the webhook is made. */
  secret?: string;
  state: "on" | "off";
  failing_since: string | null;
  failures: number;
  problem: string | null;
  created_at: string;
}

export interface WebhookPage {
  webhooks: WebhookView[];
}

/** From where on events are sent again: behind this seq, or from the beginning. */
export interface RedeliveryWish {
  after_seq?: number | null;
}

/** `uncertain` is what nobody can find out about; `dead` is what will not be tried again. */
export type DeliveryState = "waiting" | "sending" | "sent" | "uncertain" | "dead";

/** One part of a reply on its way to a chat platform. */
export interface DeliveryView {
  delivery_id: string;
  thread_id: string;
  thread_seq: number;
  message_id: string;
  run_id: string | null;
  source: string;
  workspace: string;
  channel: string;
  external_thread: string;
  part: number;
  parts: number;
  state: DeliveryState;
  attempts: number;
  external_id: string | null;
  problem: string | null;
  created_at: string;
  ended_at: string | null;
}

export interface DeliveryPage {
  deliveries: DeliveryView[];
  has_more: boolean;
}

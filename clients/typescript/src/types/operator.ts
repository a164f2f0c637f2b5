import type { Actor } from "./chat.js";

export interface NewIntegrationKey {
  source: string;
}

export interface IntegrationKeyView {
  key_id: string;
  source: string;
  /** Shown once, when it is made. */
  raw_key: string | null;
  key_prefix: string;
  owner: Actor;
  created_at: string;
}

export interface IntegrationKeyPage {
  keys: IntegrationKeyView[];
}

/** Something an operator did. */
export interface AuditAct {
  audit_id: number;
  at: string;
  sender_id: Actor;
  action: string;
  subject: string;
}

export interface AuditPage {
  acts: AuditAct[];
  has_more: boolean;
}

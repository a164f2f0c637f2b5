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

export type NodeState = "alive" | "stopping" | "silent";

/** One of the servers that share a database; what it does not know of itself is null. */
export interface NodeView {
  node_id: string;
  name: string | null;
  address: string | null;
  version: string | null;
  state: NodeState;
  /** Whether it is the one that answered. */
  answering: boolean;
  started_at: string;
  /** Since it was last heard of, by the database's clock. */
  heartbeat_age_ms: number;
  runs_executing: number | null;
  open_streams: number | null;
  lane_queue: number | null;
  bus_lag_ms: number | null;
  /** Settings by which it does not fit together with the one that answered. */
  differences: string[];
}

export interface NodeList {
  nodes: NodeView[];
}

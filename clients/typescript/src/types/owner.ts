import type { Actor, JsonObject, Scope } from "./chat.js";

export type AgentKind = "demo" | "external" | "agui" | "model";
export type Visibility = "private" | "shared";

/** An agent to be, or what shall change of one. */
export interface NewAgent {
  display_name?: string | null;
  kind?: AgentKind | null;
  config?: JsonObject | null;
  visibility?: Visibility | null;
  is_active?: boolean | null;
}

export interface AgentView {
  agent_id: string;
  sender_id: Actor;
  display_name: string;
  kind: AgentKind;
  config: JsonObject;
  visibility: Visibility;
  is_active: boolean;
  created_at: string;
}

export interface AgentPage {
  agents: AgentView[];
}

export interface NewAgentToken {
  agent_actor_id: string;
  agent_display_name?: string | null;
  scopes?: Scope[] | null;
  expires_at?: string | null;
}

export interface AgentTokenView {
  token_id: string;
  agent_actor_id: Actor;
  /** Shown once, when it is made. */
  raw_token: string | null;
  token_prefix: string;
  agent_display_name: string;
  scopes: Scope[];
  expires_at: string | null;
  created_at: string;
  last_used_at: string | null;
}

export interface AgentTokenPage {
  tokens: AgentTokenView[];
}

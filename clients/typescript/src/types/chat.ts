/** `user:{uuid}`, `agent:{uuid}`, `system:parley`, or a user of another platform: `<prefix>:<external id>`. */
export type Actor = string;

export type JsonObject = Record<string, unknown>;
export type ParticipationMode = "open" | "invocation_only";
export type ThreadType = "public" | "workspace" | "private";
export type Capability = "can_read" | "can_send" | "can_run" | "can_manage_participants";
export type Role = "user" | "assistant" | "system" | "tool";
export type OnStale = "accept" | "reject";
export type RunState = "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled";

/** A thread as one caller sees it. */
export interface ThreadView {
  thread_id: string;
  thread_type: ThreadType;
  title: string | null;
  is_archived: boolean;
  participants: Participant[];
  last_seq: number;
  last_message_at: string | null;
  last_message_preview: string | null;
  /** Exact to 99; 100 means more. */
  unread_count: number;
  participation_mode: ParticipationMode;
  created_at: string;
}

export interface ThreadPage {
  threads: ThreadView[];
  next_cursor: string | null;
}

export interface Participant {
  sender_id: Actor;
  participant_kind: "user" | "agent" | "external" | "system";
  display_name: string;
  capabilities: Capability[];
  /** An agent's exception from the thread's own mode. */
  participation_mode: ParticipationMode | null;
  last_read_seq: number;
}

/** A thread to be. */
export interface NewThread {
  thread_type?: ThreadType | null;
  title?: string | null;
  target_user_ids?: string[] | null;
  participants?: Actor[] | null;
  participation_mode?: ParticipationMode | null;
  initial_message?: string | null;
  on_stale?: OnStale | null;
  /** Gives the thread again that was made with `reuse` for exactly these participants. */
  reuse?: boolean | null;
}

export interface ReadState {
  status: "ok";
  last_read_seq: number;
}

/** A message to be. */
export interface NewMessage {
  content: string;
  /** The caller's key for this message; made by the client if it is not given. */
  client_message_id?: string | null;
  mentions?: Actor[] | null;
  metadata?: JsonObject | null;
  reply_to?: string | null;
}

/** An agent's message to be, and what the agent had read when it wrote it. */
export interface NewAgentMessage extends NewMessage {
  base_seq?: number | null;
  latest_seen_seq?: number | null;
  on_stale?: OnStale | null;
  /** The run it answers in. In a run of the agent's own, `metadata` may report on it: `stage`, `latency_ms` and so on. */
  run_id?: string | null;
  /** Whom a user speaks for; an agent's token speaks for its own. */
  agent_id?: string | null;
}

export interface Message {
  id: string;
  sender_id: Actor;
  role: Role;
  content: string;
  metadata: JsonObject | null;
  mentions: Actor[];
  created_at: string;
  client_message_id: string | null;
  reply_to: string | null;
  thread_seq: number;
  base_seq: number | null;
  latest_seen_seq: number | null;
  server_seq_at_submit: number;
  stale_lag: number | null;
  edited_at: string | null;
  deleted_at: string | null;
  /** Since when nothing is left of it but its place; it counts as deleted. */
  erased_at: string | null;
  reactions: Reaction[];
  engagement: Engagement[] | null;
  /** Tokens and cost of the model requests that made it, once its run has ended; null if unknown. */
  usage: MessageUsage | null;
}

/** The tokens and the cost of the model requests that made a message; null where the provider did not tell. */
export interface MessageUsage {
  input_tokens: number | null;
  output_tokens: number | null;
  cached_tokens: number | null;
  reasoning_tokens: number | null;
  /** Null without a price, and where requests were paid in several currencies. */
  cost: number | null;
  currency: string | null;
}

export interface PostedMessage extends Message {
  accepted: boolean;
  message_id: string;
  /** Whether it had been written before, by an earlier attempt. */
  duplicate: boolean;
  stale: boolean | null;
}

/** Whether an agent should answer a message, and why. */
export interface Engagement {
  sender_id: Actor;
  should_respond: boolean;
  reason: string;
  run_id?: string;
}

export interface Reaction {
  emoji: string;
  sender_ids: Actor[];
}

export interface MessagePage {
  messages: Message[];
  has_more: boolean;
  next_after_seq: number;
  next_before_seq: number;
}

/** One position of the log: a message, or a second thought about one. */
export interface Entry {
  id: string;
  thread_seq: number;
  kind: "message" | "edit" | "deletion" | "reaction" | "reaction_removed" | "withdrawal" | "supersession";
  target_seq: number | null;
  sender_id: Actor;
  role: Role;
  content: string;
  metadata: JsonObject | null;
  created_at: string;
  /** Since when nothing is left of it but its place. */
  erased_at: string | null;
}

export interface EntryPage {
  entries: Entry[];
  has_more: boolean;
  next_after_seq: number;
}

/** One event of a thread, the same in polls, streams and webhooks. */
export interface EventEnvelope {
  event_id: string;
  thread_id: string;
  thread_seq: number;
  event_type: "message_committed" | "message_revised" | "messages_erased" | "thread_updated" | "run_updated";
  sender_id: Actor | null;
  role: Role | null;
  content: string | null;
  created_at: string;
  metadata: JsonObject | null;
  mentions: Actor[];
  message_id: string | null;
  client_message_id: string | null;
  should_respond: boolean | null;
  engagement: Engagement[] | null;
  run_id?: string;
  agent?: Actor;
  state?: RunState;
}

export interface EventPage {
  events: EventEnvelope[];
  has_more: boolean;
}

export interface Typing {
  thread_id: string;
  sender_id: Actor;
  display_name: string;
  status: "started" | "stopped";
}

/** Something changed in a thread. */
export interface InboxHint {
  thread_id: string;
  last_seq: number;
  unread_count: number;
  should_respond: boolean | null;
}

/** Who the server takes the caller for. */
export interface Caller {
  sender_id: Actor;
  kind: "user" | "agent" | "integration";
  display_name: string;
  is_operator: boolean;
  scopes: Scope[];
}

export type Scope = "observe" | "speak" | "run" | "manage_thread";

import type { JsonObject, Message, MessagePage, RunPage, RunView, ThreadView } from "@parley/client";
import type { ThreadSource } from "../src/conversation/model/source";
import { ThreadModel } from "../src/conversation/model/thread-model";

/** A committed message with what matters to a test. */
export function said(seq: number, more: Partial<Message> = {}): Message {
  return {
    id: `m${seq}`,
    sender_id: "user:1",
    role: "user",
    content: `note ${seq}`,
    metadata: null,
    mentions: [],
    created_at: new Date(Date.UTC(2026, 0, 1) + seq * 1_000).toISOString(),
    client_message_id: null,
    reply_to: null,
    thread_seq: seq,
    base_seq: null,
    latest_seen_seq: null,
    server_seq_at_submit: seq - 1,
    stale_lag: null,
    edited_at: null,
    deleted_at: null,
    erased_at: null,
    reactions: [],
    engagement: null,
    usage: null,
    ...more,
  };
}

/** A run that is over. */
export function ranTo(runId: string, outcome: JsonObject, openInterrupts: string[]): RunView {
  return {
    taskId: runId,
    threadId: "t",
    runId,
    agent: "agent:1",
    startedBy: "user:1",
    state: "completed",
    parentRunId: null,
    rootRunId: null,
    triggers: [],
    attempts: 1,
    firstEvent: 1,
    lastEvent: 2,
    outcome,
    openInterrupts,
    error: null,
    usage: [],
    input: null,
    created: "2026-01-01T00:00:00Z",
    started: "2026-01-01T00:00:00Z",
    ended: "2026-01-01T00:00:01Z",
  };
}

const ME = { sender_id: "user:1", participant_kind: "user", display_name: "Ann", capabilities: [] } as const;

/** A thread that is kept in memory and answers as the server does. */
export class Log implements ThreadSource {
  readonly entries: Message[] = [];
  reads = 0;
  /** So many reads of messages fail from now on. */
  failures = 0;
  /** What reads of messages wait for. */
  held: Promise<void> | undefined;
  runPage: RunPage = { runs: [], nextCursor: null };
  /** How far the reader of the thread has come, and how much of others is after that. */
  readTo = 0;
  unread = 0;
  /** Runs that are on no page any more. */
  earlier: RunView[] = [];

  constructor(count = 0) {
    for (let seq = 1; seq <= count; seq++) {
      this.entries.push(said(seq));
    }
  }

  add(more: Partial<Message> = {}): Message {
    const message = said((this.entries.at(-1)?.thread_seq ?? 0) + 1, more);
    this.entries.push(message);
    return message;
  }

  async thread(): Promise<ThreadView> {
    return {
      thread_id: "t",
      thread_type: "private",
      title: null,
      is_archived: false,
      participants: [{ ...ME, capabilities: [], participation_mode: null, last_read_seq: this.readTo }],
      last_seq: this.entries.at(-1)?.thread_seq ?? 0,
      last_message_at: null,
      last_message_preview: null,
      unread_count: this.unread,
      participation_mode: "open",
      created_at: "2026-01-01T00:00:00Z",
    };
  }

  async messages({ after, limit }: { after?: number; limit: number }): Promise<MessagePage> {
    this.reads++;
    await this.held;
    if (this.failures > 0) {
      this.failures--;
      throw new TypeError("The network is down.");
    }
    const rest = this.entries.filter((each) => each.thread_seq > (after ?? 0));
    const messages = after === undefined ? rest.slice(-limit) : rest.slice(0, limit);
    const last = messages.at(-1)?.thread_seq ?? after ?? 0;
    return { messages, has_more: rest.length > messages.length, next_after_seq: last, next_before_seq: messages[0]?.thread_seq ?? 0 };
  }

  async runs(): Promise<RunPage> {
    return this.runPage;
  }

  async run(runId: string): Promise<RunView | undefined> {
    return this.earlier.find((each) => each.runId === runId);
  }
}

/** An event of a run. */
export const run = (type: string, more: object = {}) => ({ type, metadata: { runId: "r" }, ...more });

export async function opened(log: Log): Promise<ThreadModel> {
  const model = new ThreadModel(log, "user:1");
  await model.join();
  return model;
}

/** Waits until something holds. */
export async function until(holds: () => boolean, ms = 2_000): Promise<void> {
  const limit = Date.now() + ms;
  while (!holds()) {
    if (Date.now() > limit) {
      throw new Error("It did not happen in time.");
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

import type { Message } from "@parley/client";
import { dayOf } from "../../ui/time";
import { callsOf, runOf, textFact } from "./facts";
import type { Growing } from "./growing";
import { askedBy, questionOf } from "./questions";
import type { RunNotice } from "./run-book";
import type { ThreadModel } from "./thread-model";

/** A call of a tool and what became of it. */
export interface CallView {
  id: string;
  name: string;
  args: string;
  /** Waiting if its run is over and left it to somebody else. */
  state: "asking" | "running" | "done" | "waiting";
  result: string | undefined;
  /** The committed answer. */
  answer: Message | undefined;
}

/** A committed message as it is shown among the others. */
export interface RowView {
  message: Message;
  /** Whether it goes on with what the one above said. */
  isGrouped: boolean;
  /** Whether it is the first of its day. */
  startsDay: boolean;
  isFirstUnread: boolean;
  calls: CallView[];
  notices: RunNotice[];
  /** The message that it replies to, and the one that it answers, as far as they were read. */
  quoted: Message | undefined;
  asked: Message | undefined;
}

const GROUP_MS = 5 * 60_000;
/** How far back one looks for what stands above. */
const FAR = 200;

/** Whether a row takes room: a revision takes none, and an answer of a tool stands with its call. */
export function isShown(model: ThreadModel, seq: number): boolean {
  const message = model.pages.row(seq);
  return message !== null && (message === undefined || !isTold(model, message));
}

function isTold(model: ThreadModel, message: Message): boolean {
  const callId = message.role === "tool" ? textFact(message, "tool_call_id") : undefined;
  const caller = callId === undefined ? undefined : model.index.callerOf(callId);
  return caller !== undefined && Boolean(model.pages.row(caller));
}

/** The message that stands above a position; none if that was not read. */
export function shownBefore(model: ThreadModel, seq: number): Message | undefined {
  for (let above = seq - 1; above > 0 && above > seq - FAR; above--) {
    if (isShown(model, above)) {
      return model.pages.row(above) ?? undefined;
    }
  }
  return undefined;
}

/** What is shown at a position; null if that takes no room, undefined if it was not read yet. */
export function rowAt(model: ThreadModel, seq: number, notices: ReadonlyMap<number, RunNotice[]>): RowView | null | undefined {
  const message = model.pages.row(seq);
  if (!message) {
    return message;
  }
  const told = notices.get(seq) ?? [];
  if (isTold(model, message) && told.length === 0) {
    return null;
  }
  const above = shownBefore(model, seq);
  const startsDay = above === undefined ? seq === 1 || isFirst(model, seq) : dayOf(above.created_at) !== dayOf(message.created_at);
  const isFirstUnread = isFirstNew(model, message);
  return {
    message,
    startsDay,
    isFirstUnread,
    isGrouped: !startsDay && !isFirstUnread && above !== undefined && goesOn(above, message) && !notices.has(above.thread_seq),
    calls: callViews(model, message),
    notices: told.map((notice) => ({ ...notice, asked: askedBy(model, notice, seq) })),
    quoted: quotedBy(model, message),
    asked: message.role === "assistant" ? questionOf(model, message) : undefined,
  };
}

/** True if the New line stands above a message: the first after the line that others wrote. */
function isFirstNew(model: ThreadModel, { thread_seq: seq, sender_id: sender }: Message): boolean {
  const { after } = model.newLine;
  if (after === 0 || seq <= after || seq - after > FAR || sender === model.me || !isShown(model, seq)) {
    return false;
  }
  for (let above = seq - 1; above > after; above--) {
    if (isShown(model, above) && model.pages.row(above)?.sender_id !== model.me) {
      return false;
    }
  }
  return true;
}

function quotedBy(model: ThreadModel, { reply_to: quoted }: Message): Message | undefined {
  const seq = quoted === null ? undefined : model.index.seqOf(quoted);
  return seq === undefined ? undefined : (model.pages.row(seq) ?? undefined);
}

function isFirst(model: ThreadModel, seq: number): boolean {
  for (let above = seq - 1; above > 0; above--) {
    if (isShown(model, above)) {
      return false;
    }
  }
  return true;
}

const voiceOf = (message: Message): string =>
  [message.sender_id, textFact(message, "agent_name"), textFact(message, "sender_display_name")].join(" ");

function goesOn(above: Message, message: Message): boolean {
  const between = Date.parse(message.created_at) - Date.parse(above.created_at);
  return voiceOf(above) === voiceOf(message) && between < GROUP_MS && above.deleted_at === null;
}

/** Whether what grows goes on with the last message. */
export function growsOn(above: Message | undefined, growing: Growing, memberName: string | undefined): boolean {
  return above !== undefined && above.role !== "user" && runOf(above) === growing.runId
    && textFact(above, "agent_name") === memberName;
}

export function callViews(model: ThreadModel, message: Message): CallView[] {
  const isOpen = model.runs.open().some((run) => run.runId === runOf(message));
  return callsOf(message).map(({ id, name, args }) => {
    const at = model.index.resultOf(id);
    const answer = at === undefined ? undefined : (model.pages.row(at) ?? undefined);
    const result = answer?.content ?? model.live.result(id);
    return { id, name, args, answer, result, state: result !== undefined ? "done" : isOpen ? "running" : "waiting" };
  });
}

export function growingCalls(model: ThreadModel, growing: Growing): CallView[] {
  return growing.calls.map(({ id, name, args, isAsked }) => {
    const result = model.live.result(id);
    const state = result !== undefined ? "done" : isAsked ? "running" : "asking";
    return { id, name, args, state, result, answer: undefined };
  });
}

/** Notices by the position behind which they stand: the run's last message, else the one that it should answer. */
export function placeNotices(model: ThreadModel): Map<number, RunNotice[]> {
  const placed = new Map<number, RunNotice[]>();
  for (const notice of model.runs.notices()) {
    const at = model.index.lastOfRun(notice.runId) ?? notice.triggers.at(-1);
    if (at !== undefined && model.pages.row(at)) {
      placed.set(at, [...(placed.get(at) ?? []), notice]);
    }
  }
  return placed;
}

/** Gives the same object as before if nothing of it has changed, so that it is not drawn again. */
export class RowMemory {
  readonly #rows = new Map<number, { row: RowView; signature: string }>();

  same(row: RowView): RowView {
    const { message, calls, notices, isGrouped, startsDay, isFirstUnread } = row;
    const told = notices.map((each) => [each.runId, each.kind, each.openIds, each.failure?.message, each.asked?.id, each.asked?.edited_at]);
    const called = calls.map((call) => [call.id, call.state, call.answer?.edited_at]);
    const signature = JSON.stringify([isGrouped, startsDay, isFirstUnread, told, called]);
    const before = this.#rows.get(message.thread_seq);
    const areSame = ["message", "quoted", "asked"] as const;
    if (before?.signature === signature && areSame.every((each) => before.row[each] === row[each])) {
      return before.row;
    }
    if (this.#rows.size > 500) {
      this.#rows.clear();
    }
    this.#rows.set(message.thread_seq, { row, signature });
    return row;
  }
}

import type { Message } from "@parley/client";
import { runOf } from "./facts";
import type { RunNotice } from "./run-book";
import type { ThreadModel } from "./thread-model";

/** How far back a question is looked for. */
const FAR = 100;

/** The user's message that an answer answers, as far as it was read. */
export function questionOf(model: ThreadModel, answer: Message): Message | undefined {
  const runId = runOf(answer);
  return runId === undefined
    ? undefined
    : (lastQuestion(model, answer.thread_seq - 1, runId) ?? triggerOf(model, model.runs.triggersOf(runId)));
}

/** The message that a run should have answered. */
export function askedBy(model: ThreadModel, { runId, triggers }: RunNotice, seq: number): Message | undefined {
  return triggerOf(model, triggers) ?? lastQuestion(model, seq, runId);
}

function triggerOf(model: ThreadModel, triggers: readonly number[]): Message | undefined {
  const trigger = model.pages.row(triggers.at(-1) ?? 0);
  return trigger?.role === "user" && trigger.deleted_at === null ? trigger : undefined;
}

function lastQuestion(model: ThreadModel, from: number, runId: string): Message | undefined {
  for (let seq = from; seq > Math.max(0, from - FAR); seq--) {
    const message = model.pages.row(seq);
    const isAsked = message && (runOf(message) === runId || message.engagement?.some((each) => each.run_id === runId));
    if (isAsked && message.role === "user" && message.deleted_at === null) {
      return message;
    }
  }
  return undefined;
}

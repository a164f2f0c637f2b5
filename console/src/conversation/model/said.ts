import { stripLegacyIngestPrefix, type Message } from "@parley/client";
import { flagFact, textFact, thoughtsOf } from "./facts";
import type { Growing } from "./growing";
import { growingCalls, type CallView } from "./rows";
import type { ThreadModel } from "./thread-model";

export interface ThoughtView {
  id: string;
  text: string;
  isThinking: boolean;
  /** How long it took, if that is known. */
  ms: number | undefined;
}

/** What somebody says, whether it is still growing or was committed: it looks the same, so nothing jumps in between. */
export interface Said {
  role: Message["role"];
  text: string;
  thoughts: ThoughtView[];
  calls: CallView[];
  stage: string | undefined;
}

/** The text of a message as people see it, without a legacy prefix. */
export function shownText(message: Message): string {
  return flagFact(message, "legacy_prefix")
    ? stripLegacyIngestPrefix(message.content, textFact(message, "source"))
    : message.content;
}

export function saidBy(model: ThreadModel, message: Message, calls: CallView[]): Said {
  const isDeleted = message.deleted_at !== null;
  const thoughts = thoughtsOf(message).map(({ id, text: thought }) => {
    return { id, text: thought, isThinking: false, ms: model.live.thoughtMs(id) };
  });
  return {
    role: message.role,
    text: isDeleted ? "" : shownText(message),
    thoughts: isDeleted ? [] : thoughts,
    calls: isDeleted ? [] : calls,
    stage: message.role === "assistant" && calls.length === 0 ? textFact(message, "stage") : undefined,
  };
}

export function beingSaid(model: ThreadModel, growing: Growing): Said {
  const thoughts = growing.thoughts.map(({ id, text, startedAt, endedAt }) => {
    return { id, text, isThinking: endedAt === undefined, ms: endedAt === undefined ? undefined : endedAt - startedAt };
  });
  const { text, stage, calls } = growing;
  return { role: "assistant", text, thoughts, calls: growingCalls(model, growing), stage: calls.length > 0 ? undefined : stage };
}

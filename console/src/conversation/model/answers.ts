import type { Interrupt } from "@parley/client";

/** How a question of an agent's wants to be answered: by yes or no, in words, or by a value of some shape. */
export type AnswerKind = "approval" | "text" | "json";

export function answerKind({ responseSchema: schema = {} }: Pick<Interrupt, "responseSchema">): AnswerKind {
  const { type, properties = {}, required = [] } = schema as Partial<{ type: unknown; properties: unknown; required: unknown }>;
  if (type === "string") {
    return "text";
  }
  const approved = (properties as Record<string, { type?: unknown } | undefined> | null)?.["approved"];
  const needsMore = Array.isArray(required) && required.some((each) => each !== "approved");
  const saysNothing = Object.keys(schema).length === 0;
  return saysNothing || (approved?.type === "boolean" && !needsMore) ? "approval" : "json";
}

/** What was written as the answer to a question; none if it is not what was asked for. */
export function answerOf(kind: AnswerKind, written: string): { payload: unknown } | undefined {
  if (kind === "text") {
    return written.trim() === "" ? undefined : { payload: written };
  }
  try {
    return { payload: JSON.parse(written) as unknown };
  } catch {
    return undefined;
  }
}

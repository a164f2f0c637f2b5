import type { JsonObject, Message } from "@parley/client";

/** What a message's metadata says, read with care: anybody may have written it. */
export const factsOf = (message: Pick<Message, "metadata">): JsonObject => message.metadata ?? {};

export const textFact = (message: Pick<Message, "metadata">, name: string): string | undefined => {
  const value = factsOf(message)[name];
  return typeof value === "string" && value !== "" ? value : undefined;
};

export const flagFact = (message: Pick<Message, "metadata">, name: string): boolean =>
  Boolean(factsOf(message)[name]);

export const runOf = (message: Message): string | undefined => textFact(message, "run_id");

/** A call of a tool that stands in a message. */
export interface CommittedCall {
  id: string;
  name: string;
  args: string;
}

export function callsOf(message: Message): CommittedCall[] {
  return listFact(message, "tool_calls").flatMap((each) => {
    const called = each["function"] as JsonObject | undefined;
    return typeof each["id"] === "string" && typeof called?.["name"] === "string"
      ? [{ id: each["id"], name: called["name"], args: textOf(called["arguments"]) }]
      : [];
  });
}

export interface CommittedThought {
  id: string;
  text: string;
}

export function thoughtsOf(message: Message): CommittedThought[] {
  return listFact(message, "reasoning").map((each, index) => ({
    id: typeof each["id"] === "string" ? each["id"] : String(index),
    text: textOf(each["content"]),
  }));
}

function listFact(message: Message, name: string): JsonObject[] {
  const value = factsOf(message)[name];
  return Array.isArray(value) ? value.filter((each) => typeof each === "object" && each !== null) : [];
}

/** A text as it is, anything else as JSON. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
}

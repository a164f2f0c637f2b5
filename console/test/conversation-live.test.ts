import { describe, expect, it } from "vitest";
import { Live } from "../src/conversation/model/live";
import { said } from "./conversation-messages";

const of = (runId: string, type: string, more: object = {}) => ({ type, metadata: { runId }, ...more });

function live(committed: string[] = []) {
  const it = new Live((id) => committed.includes(id));
  return { it, hear: (type: string, more: object = {}) => it.apply(of("r", type, more)) };
}

describe("what is being said", () => {
  it("grows word by word, and goes when it is committed, under the same key", () => {
    const { it: growing, hear } = live();
    hear("TEXT_MESSAGE_START", { messageId: "a" });
    hear("TEXT_MESSAGE_CONTENT", { messageId: "a", delta: "مرحبا " });
    hear("TEXT_MESSAGE_CONTENT", { messageId: "a", delta: "👩‍👩‍👧" });
    const [message] = growing.messages();
    expect(message?.text).toBe("مرحبا 👩‍👩‍👧");
    expect(growing.commit(said(2, { id: "other", metadata: { message_id: "a" } }))).toBe(message?.key);
    expect(growing.messages()).toEqual([]);
  });

  it("is a new object whenever it changes, and the same as long as it does not", () => {
    const { it: growing, hear } = live();
    hear("TEXT_MESSAGE_START", { messageId: "a" });
    hear("TEXT_MESSAGE_START", { messageId: "b" });
    const [a, b] = growing.messages();
    hear("TEXT_MESSAGE_CONTENT", { messageId: "b", delta: "x" });
    expect(growing.messages()[0]).toBe(a);
    expect(growing.messages()[1]).not.toBe(b);
  });

  it("takes along what was thought before", () => {
    const { it: growing, hear } = live();
    hear("REASONING_MESSAGE_START", { messageId: "t", timestamp: 1_000 });
    hear("REASONING_MESSAGE_CONTENT", { messageId: "t", delta: "Hm." });
    hear("REASONING_MESSAGE_END", { messageId: "t", timestamp: 4_000 });
    const key = growing.messages()[0]?.key;
    hear("TEXT_MESSAGE_START", { messageId: "a" });
    hear("TEXT_MESSAGE_CONTENT", { messageId: "a", delta: "Yes." });
    expect(growing.messages()).toHaveLength(1);
    expect(growing.messages()[0]).toMatchObject({ key, id: "a", text: "Yes.", thoughts: [{ text: "Hm." }] });
    expect(growing.thoughtMs("t")).toBe(3_000);
  });

  it("shows calls of tools with their arguments and answers", () => {
    const { it: growing, hear } = live();
    hear("TOOL_CALL_START", { toolCallId: "c", toolCallName: "look", parentMessageId: "a" });
    hear("TOOL_CALL_ARGS", { toolCallId: "c", delta: '{"x":' });
    hear("TOOL_CALL_ARGS", { toolCallId: "c", delta: "1}" });
    expect(growing.messages()[0]?.calls).toEqual([{ id: "c", name: "look", args: '{"x":1}', isAsked: false }]);
    hear("TOOL_CALL_END", { toolCallId: "c" });
    hear("TOOL_CALL_RESULT", { toolCallId: "c", messageId: "d", content: [{ type: "text", text: "y" }] });
    expect(growing.messages()[0]?.calls[0]?.isAsked).toBe(true);
    expect(growing.result("c")).toBe('[{"type":"text","text":"y"}]');
  });

  it("keeps the members of a team apart", () => {
    const { it: growing, hear } = live();
    hear("SUBAGENT_STARTED", { subagentRunId: "m1", name: "Writer" });
    hear("REASONING_MESSAGE_CONTENT", { messageId: "t", delta: "…", subagentRunId: "m1" });
    hear("TEXT_MESSAGE_START", { messageId: "a" });
    hear("TEXT_MESSAGE_START", { messageId: "b", subagentRunId: "m1" });
    expect(growing.messages().map((each) => [each.id, each.member, each.thoughts.length])).toEqual([
      ["b", "m1", 1],
      ["a", undefined, 0],
    ]);
    expect(growing.memberName("m1")).toBe("Writer");
  });

  it("leaves alone what is committed, so that events that are told again change nothing", () => {
    const { it: growing, hear } = live(["a"]);
    growing.commit(said(1, { id: "a", metadata: { reasoning: [{ id: "t", content: "Hm." }] } }));
    hear("REASONING_MESSAGE_CONTENT", { messageId: "t", delta: "Hm." });
    hear("TEXT_MESSAGE_CONTENT", { messageId: "a", delta: "again" });
    expect(growing.messages()).toEqual([]);
  });

  it("is forgotten with its run, and only then", () => {
    const { it: growing, hear } = live();
    hear("TEXT_MESSAGE_START", { messageId: "a" });
    growing.apply(of("other", "TEXT_MESSAGE_START", { messageId: "b" }));
    growing.forget("r");
    expect(growing.messages().map((each) => each.id)).toEqual(["b"]);
  });
});

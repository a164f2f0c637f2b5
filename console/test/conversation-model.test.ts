import { describe, expect, it } from "vitest";
import { newsLabel, newsSince } from "../src/conversation/model/news";
import { isShown, placeNotices, rowAt, RowMemory } from "../src/conversation/model/rows";
import { tailOf } from "../src/conversation/model/tail";
import { ThreadModel } from "../src/conversation/model/thread-model";
import { Log, opened, run, said, until } from "./conversation-messages";

const custom = (name: string, value: object) => ({ type: "CUSTOM", name, value });
const pending = (key: string, more: object = {}) => {
  return { key, threadId: "t", text: "hi", images: [], mentions: [], createdAt: "2026-01-01T00:00:00Z", way: "message" as const, ...more };
};

describe("a thread that is read and heard", () => {
  it("begins with its end, and reads the rest where it is looked at", async () => {
    const model = await opened(new Log(1_000));
    expect(model.pages.lastSeq).toBe(1_000);
    expect(model.pages.row(900)?.content).toBe("note 900");
    expect(model.pages.row(1)).toBeUndefined();
    model.want(1, 20);
    await until(() => Boolean(model.pages.row(1)));
  });

  it("asks again for a page that could not be read", async () => {
    const log = new Log(1_000);
    const model = await opened(log);
    model.changes.subscribe(() => model.want(1, 20));
    log.failures = 1;
    model.want(1, 20);
    await until(() => Boolean(model.pages.row(1)), 4_000);
  });

  it("takes a commit as a hint, and puts what is read in the place of what grew", async () => {
    const log = new Log(2);
    const model = await opened(log);
    model.hear(run("RUN_STARTED"));
    model.hear(run("TEXT_MESSAGE_CONTENT", { messageId: "a", delta: "Hel" }));
    await until(() => model.live.messages().length === 1);
    const key = model.live.messages()[0]?.key;
    log.add({ id: "a", role: "assistant", content: "Hello", metadata: { run_id: "r", message_id: "a" } });
    model.hear(custom("message_committed", { seq: 3 }));
    model.hear(run("RUN_FINISHED", { outcome: { type: "success" } }));
    await until(() => model.pages.lastSeq === 3);
    expect(model.live.messages()).toEqual([]);
    expect(model.intake.keyOf(3)).toBe(key);
    expect(model.runs.current()).toBeUndefined();
  });

  it("keeps what grew until the end was read, and then forgets what was never committed", async () => {
    const model = await opened(new Log(1));
    model.hear(run("TEXT_MESSAGE_CONTENT", { messageId: "a", delta: "Hel" }));
    model.hear(run("RUN_ERROR", { message: "It broke.", code: "x" }));
    await until(() => model.runs.notices().length === 1);
    expect(model.live.messages()).toHaveLength(1);
    await until(() => model.live.messages().length === 0);
  });

  it("reads much at once, and does not read what nobody looks at", async () => {
    const log = new Log(10);
    const model = await opened(log);
    for (let i = 0; i < 5_000; i++) {
      log.add();
    }
    log.reads = 0;
    model.hear(custom("message_committed", { seq: 5_010 }));
    await until(() => model.pages.lastSeq === 5_010);
    expect(log.reads).toBeLessThan(5);
  });

  it("reads a revised message again, and all that one revision replaced", async () => {
    const log = new Log(6);
    const model = await opened(log);
    log.entries[2] = { ...log.entries[2]!, content: "edited" };
    model.hear(custom("message_revised", { seq: 7, kind: "edit", targetSeq: 3 }));
    await until(() => model.pages.row(3)?.content === "edited");
    for (const at of [4, 5]) {
      log.entries[at] = { ...log.entries[at]!, metadata: { superseded: true } };
    }
    model.hear(custom("message_revised", { seq: 8, kind: "supersession", targetSeq: 4 }));
    await until(() => model.pages.row(6)?.metadata?.["superseded"] === true);
  });

  it("reads erased messages again", async () => {
    const log = new Log(6);
    const model = await opened(log);
    for (const at of [0, 1, 4]) {
      const gone = "2026-01-02T00:00:00Z";
      log.entries[at] = { ...log.entries[at]!, content: "", deleted_at: gone, erased_at: gone };
    }
    model.hear(custom("messages_erased", { seq_ranges: [{ from: 1, to: 2 }, { from: 5, to: 5 }] }));
    await until(() => [1, 2, 5].every((seq) => model.pages.row(seq)?.erased_at !== null));
    expect(model.pages.row(3)?.content).toBe("note 3");
    model.hear(run("CUSTOM", { name: "messages_erased", value: { seq_ranges: "all" } }));
  });

  it("believes nobody who tells of messages that are not there, and no agent that speaks for the thread", async () => {
    const log = new Log(10);
    const model = await opened(log);
    const forged = (name: string, value: object) => run("CUSTOM", { name, value });
    model.hear(forged("message_committed", { seq: 1_000_000 }));
    model.hear(forged("message_committed", { seq: "many" }));
    model.hear(forged("message_revised", { seq: 12, kind: "withdrawal", targetSeq: -1e15 }));
    model.hear(forged("run_updated", { run_id: "other", agent: "agent:1", state: "running" }));
    log.add();
    log.reads = 0;
    await until(() => model.pages.lastSeq === 11);
    expect(model.runs.open()).toEqual([]);
    model.hear(custom("run_updated", { run_id: "other", agent: "agent:1", state: "running" }));
    await until(() => model.runs.open().length === 1);
    expect(model.pages.lastSeq).toBe(11);
  });

  it("is new as long as the server does not know of it", () => {
    const model = new ThreadModel(new Log(), "user:1", true);
    expect(model.state).toBe("new");
    expect(tailOf(model, [pending("k")])).toHaveLength(1);
  });

  it("shows what is on its way until it has arrived, above the answer to it", async () => {
    const log = new Log(1);
    const model = await opened(log);
    model.intake.expect(["k"]);
    model.hear(run("TEXT_MESSAGE_CONTENT", { messageId: "a", delta: "…", metadata: { runId: "k" } }));
    await until(() => model.live.messages().length === 1);
    const waiting = [pending("other"), pending("k"), pending("again", { regenerateFrom: "m1" })];
    expect(tailOf(model, waiting).map((item) => item.key)).toEqual(["pending:k", "live:a", "pending:other"]);
    const refused = pending("again", { regenerateFrom: "m1", refusal: "No." });
    expect(tailOf(model, [refused]).map((item) => item.key)).toContain("pending:again");
    log.add({ client_message_id: "k" });
    model.hear(custom("message_committed", { seq: 2 }));
    await until(() => model.pages.lastSeq === 2);
    expect(tailOf(model, waiting).map((item) => item.key)).toEqual(["live:a", "pending:other"]);
    expect(model.intake.keyOf(2)).toBe("pending:k");
  });
});

describe("the rows of a thread", () => {
  it("are grouped by who speaks, and parted by days", async () => {
    const log = new Log(3);
    log.add({ created_at: "2026-01-01T00:20:00Z" });
    log.add({ created_at: "2026-02-01T12:00:00Z" });
    const model = await opened(log);
    const rows = [1, 2, 3, 4, 5].map((seq) => rowAt(model, seq, new Map()));
    expect(rows.map((row) => [row?.isGrouped, row?.startsDay])).toEqual([
      [false, true],
      [true, false],
      [true, false],
      [false, false],
      [false, true],
    ]);
  });

  it("change when what they quote was read, and only then", async () => {
    const log = new Log(1_000);
    log.add({ reply_to: "m1" });
    const model = await opened(log);
    const memory = new RowMemory();
    const row = () => memory.same(rowAt(model, 1_001, new Map())!);
    const before = row();
    expect([before.quoted, row()]).toEqual([undefined, before]);
    model.want(1, 20);
    await until(() => Boolean(model.pages.row(1)));
    expect(row()).not.toBe(before);
    expect(row().quoted?.content).toBe("note 1");
    expect(row()).toBe(row());
  });

  it("are new if others said something, not if they reacted or edited", async () => {
    const log = new Log(3);
    const model = await opened(log);
    log.add({ sender_id: "user:2" });
    log.add();
    log.add({ sender_id: "agent:1", role: "assistant" });
    // Positions 7 and 8 are a reaction and an edit, which are no messages.
    log.entries.push(said(9, { sender_id: "user:2" }));
    model.hear(custom("message_committed", { seq: 9 }));
    await until(() => model.pages.lastSeq === 9);
    expect(newsSince(model, 3, "user:1")).toEqual({ count: 3, isMore: false });
    expect(newsLabel(newsSince(model, 3, "user:1"))).toBe("3 new");
    model.pages.skipTo(600);
    expect(newsLabel(newsSince(model, 3, "user:1"))).toBe("New");
    expect(newsLabel(newsSince(model, 600, "user:1"))).toBeUndefined();
  });

  it("have a tool's answer with its call", async () => {
    const log = new Log(1);
    const tools = [{ id: "c", function: { name: "look", arguments: "{}" } }];
    log.add({ role: "assistant", content: "", metadata: { run_id: "r", tool_calls: tools } });
    log.add({ role: "tool", content: "seen", metadata: { run_id: "r", tool_call_id: "c", tool_name: "look" } });
    const model = await opened(log);
    expect(rowAt(model, 2, new Map())?.calls).toMatchObject([{ name: "look", result: "seen", state: "done" }]);
    expect(isShown(model, 3)).toBe(false);
  });

  it("tell how a run ended behind its last message", async () => {
    const log = new Log(1);
    log.add({ role: "assistant", metadata: { run_id: "r" } });
    const model = await opened(log);
    model.hear(run("RUN_ERROR", { message: "It broke." }));
    await until(() => model.runs.notices().length === 1);
    expect(placeNotices(model).get(2)?.[0]).toMatchObject({ kind: "failed", failure: { message: "It broke." } });
  });
});

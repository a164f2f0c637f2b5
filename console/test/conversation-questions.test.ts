import { describe, expect, it } from "vitest";
import { answerKind, answerOf } from "../src/conversation/model/answers";
import { questionOf } from "../src/conversation/model/questions";
import { Log, opened, ranTo, run, until } from "./conversation-messages";

describe("the questions of a thread", () => {
  it("can be answered until somebody has, whatever else is said", async () => {
    const log = new Log(1);
    const model = await opened(log);
    const outcome = { type: "interrupt", interrupts: [{ id: "i", reason: "approval", message: "Shall I?" }] };
    const resume = [{ interruptId: "i", status: "resolved" as const }];
    const open = () => model.runs.notices()[0]?.openIds;
    model.hear(run("RUN_STARTED"));
    model.hear(run("RUN_FINISHED", { outcome }));
    await until(() => model.runs.notices().length === 1);
    log.runPage.runs = [ranTo("r", outcome, ["i"])];
    model.hear({ type: "RUN_STARTED", metadata: { runId: "else" } });
    model.hear({ type: "RUN_FINISHED", metadata: { runId: "else" }, outcome: { type: "success" } });
    await until(() => model.runs.open().length === 0);
    expect(open()).toEqual(["i"]);
    model.runs.expect([{ resume }]);
    expect(open()).toEqual([]);
    model.runs.expect([{ resume, refusal: "No." }]);
    expect(open()).toEqual(["i"]);
    log.runPage.runs = [ranTo("r", outcome, [])];
    model.hear({ type: "RUN_STARTED", metadata: { runId: "k" } });
    await until(() => open()?.length === 0);
  });

  it("are known as answered also if they are far back", async () => {
    const log = new Log(1);
    const outcome = { type: "interrupt", interrupts: [{ id: "i", reason: "approval" }] };
    log.runPage.runs = [ranTo("r", outcome, ["i"])];
    const model = await opened(log);
    expect(model.runs.waiting()).toEqual(["r"]);
    log.runPage.runs = [];
    log.earlier = [ranTo("r", outcome, [])];
    model.hear({ type: "RUN_STARTED", metadata: { runId: "k" } });
    await until(() => model.runs.waiting().length === 0);
  });
});

describe("the question of an answer", () => {
  it("is known also of one that was asked for again", async () => {
    const log = new Log();
    log.add({ metadata: { run_id: "first" } });
    const model = await opened(log);
    const answer = log.add({ role: "assistant", sender_id: "agent:1", metadata: { run_id: "r" } });
    log.runPage.runs = [{ ...ranTo("r", { type: "success" }, []), triggers: [1] }];
    model.hear(run("RUN_STARTED"));
    model.hear(run("RUN_FINISHED", { outcome: { type: "success" } }));
    await until(() => questionOf(model, answer)?.id === "m1");
  });
});

describe("a question", () => {
  it("is answered by yes or no if that is all it asks for", () => {
    const approved = { type: "boolean" };
    expect(answerKind({})).toBe("approval");
    expect(answerKind({ responseSchema: { type: "object", properties: { approved, reason: {} }, required: ["approved"] } })).toBe("approval");
    expect(answerKind({ responseSchema: { type: "object", properties: { approved, why: {} }, required: ["approved", "why"] } })).toBe("json");
    expect(answerKind({ responseSchema: { type: "object", properties: { amount: { type: "number" } } } })).toBe("json");
    expect(answerKind({ responseSchema: { type: "string" } })).toBe("text");
    expect(answerKind({ responseSchema: { properties: null, required: 7 } as never })).toBe("json");
  });

  it("takes words as they are, and JSON only if it is some", () => {
    expect(answerOf("text", "否 ")).toEqual({ payload: "否 " });
    expect(answerOf("text", "  ")).toBeUndefined();
    expect(answerOf("json", '{"amount": 3}')).toEqual({ payload: { amount: 3 } });
    expect(answerOf("json", "three")).toBeUndefined();
  });
});

import { describe, expect, test } from "vitest";
import type { RunEvent } from "@parley/client";
import { timesOf as timesOfPlaced, type Span } from "../../src/inspector/spans";

const timesOf = (events: RunEvent[]) => timesOfPlaced(events.map((event) => ({ event })));
const told = (spans: Span[]): string[] =>
  spans.map((span) => `${" ".repeat(span.depth)}${span.kind} ${span.name} ${span.from}-${span.to ?? ""}`);

describe("timesOf", () => {
  test("puts a call together with its result, within its stages", () => {
    const { spans, started, ended, firstWord } = timesOf([
      { type: "RUN_STARTED", threadId: "t", runId: "r", timestamp: 100 },
      { type: "STEP_STARTED", stepName: "intent", timestamp: 110 },
      { type: "TOOL_CALL_START", toolCallId: "c", toolCallName: "get_weather", timestamp: 120 },
      { type: "TOOL_CALL_ARGS", toolCallId: "c", delta: "{}" },
      { type: "TOOL_CALL_END", toolCallId: "c", timestamp: 130 },
      { type: "STEP_FINISHED", stepName: "intent", timestamp: 140 },
      { type: "TOOL_CALL_RESULT", toolCallId: "c", messageId: "m", content: "rain", timestamp: 150 },
      { type: "TEXT_MESSAGE_START", messageId: "n", timestamp: 160 },
      { type: "TEXT_MESSAGE_END", messageId: "n", timestamp: 170 },
      { type: "RUN_FINISHED", threadId: "t", runId: "r", timestamp: 180 },
    ]);
    expect(told(spans)).toEqual(["stage intent 110-140", " tool get_weather 120-150", "text  160-170"]);
    expect(spans[1]?.calledAt).toBe(130);
    expect([started, firstWord, ended]).toEqual([100, 160, 180]);
  });

  test("keeps what members of a team do apart, also in stages of the same name", () => {
    const { spans } = timesOf([
      { type: "SUBAGENT_STARTED", subagentRunId: "a", name: "研究者", timestamp: 1 },
      { type: "SUBAGENT_STARTED", subagentRunId: "b", name: "Writer", timestamp: 2 },
      { type: "STEP_STARTED", stepName: "execution", subagentRunId: "a", timestamp: 3 },
      { type: "STEP_STARTED", stepName: "execution", subagentRunId: "b", timestamp: 4 },
      { type: "STEP_FINISHED", stepName: "execution", subagentRunId: "a", timestamp: 5 },
      { type: "SUBAGENT_FINISHED", subagentRunId: "a", timestamp: 6 },
      { type: "SUBAGENT_ERROR", subagentRunId: "b", message: "no", timestamp: 7 },
    ]);
    expect(told(spans)).toEqual(["member 研究者 1-6", " stage execution 3-5", "member Writer 2-7", " stage execution 4-"]);
    expect(spans.map((span) => span.failed)).toEqual([false, false, true, false]);
  });

  test("counts one time of thinking once", () => {
    const { spans } = timesOf([
      { type: "REASONING_START", messageId: "x", timestamp: 1 },
      { type: "REASONING_MESSAGE_START", messageId: "y", timestamp: 2 },
      { type: "REASONING_MESSAGE_END", messageId: "y", timestamp: 3 },
      { type: "REASONING_END", messageId: "x", timestamp: 4 },
    ]);
    expect(told(spans)).toEqual(["reasoning  1-3"]);
  });

  test("ends with a failed run what was open; a call that was made is not among that", () => {
    const { spans } = timesOf([
      { type: "TEXT_MESSAGE_START", messageId: "n", timestamp: 1 },
      { type: "TOOL_CALL_START", toolCallId: "c", toolCallName: "ask", timestamp: 2 },
      { type: "TOOL_CALL_END", toolCallId: "c", timestamp: 3 },
      { type: "RUN_ERROR", message: "no", timestamp: 9 },
    ]);
    expect(told(spans)).toEqual(["text  1-9", "tool ask 2-3"]);
    expect(spans.map((span) => span.failed)).toEqual([true, false]);
  });

  test("leaves alone what it does not know", () => {
    expect(timesOf([{ type: "LATER" } as unknown as RunEvent]).spans).toEqual([]);
  });
});

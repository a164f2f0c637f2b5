import { expect, test } from "vitest";
import type { RunUsage, RunView } from "@parley/client";
import { childrenOf } from "../../src/inspector/family";
import { costText, costsOf, partsOf, sumOf } from "../../src/inspector/tokens";

const usage = (given: Partial<RunUsage>): RunUsage => ({
  request: 0,
  provider: "openai",
  model: "m",
  inputTokens: null,
  outputTokens: null,
  cachedTokens: null,
  reasoningTokens: null,
  cost: null,
  currency: null,
  ...given,
});

test("no token counts twice", () => {
  const parts = partsOf(usage({ inputTokens: 100, cachedTokens: 60, outputTokens: 30, reasoningTokens: 20 }));
  expect(parts).toEqual({ fresh: 40, cached: 60, output: 10, reasoning: 20 });
  expect(sumOf(parts)).toBe(130);
  expect(sumOf(partsOf(usage({})))).toBe(0);
});

test("costs of different currencies are not added", () => {
  const costs = costsOf([usage({ cost: 1, currency: "USD" }), usage({ cost: 2, currency: "EUR" }), usage({ cost: 3, currency: "USD" })]);
  expect([...costs]).toEqual([["USD", 4], ["EUR", 2]]);
  expect(costText(0.000012345, "USD")).toMatch(/0.00001235|0.00001234/);
});

test("runs within runs become a tree, also if they name each other", () => {
  const run = (runId: string, parentRunId: string | null) => ({ runId, parentRunId, created: runId }) as RunView;
  const tree = childrenOf("a", [run("a", "c"), run("d", "a"), run("b", "a"), run("c", "b")]);
  expect(tree.map((branch) => branch.run.runId)).toEqual(["b", "d"]);
  expect(tree[0]?.children[0]?.run.runId).toBe("c");
  expect(tree[0]?.children[0]?.children).toEqual([]);
});

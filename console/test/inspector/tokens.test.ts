import { expect, test } from "vitest";
import type { RunUsage } from "@parley/client";
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

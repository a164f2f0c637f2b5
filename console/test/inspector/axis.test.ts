import { expect, test } from "vitest";
import { axisOf, tickText, ticksOf } from "../../src/inspector/axis";

test.each([
  [3, ["0", "1 ms", "2 ms", "3 ms"]],
  [340, ["0", "100 ms", "200 ms", "300 ms"]],
  [9_000, ["0", "2 s", "4 s", "6 s", "8 s"]],
  [65_000, ["0", "20 s", "40 s", "1 min"]],
  [900_000, ["0", "5 min", "10 min", "15 min"]],
])("an axis of %d ms has few and round steps", (length, texts) => {
  expect(ticksOf(length).map(tickText)).toEqual(texts);
});

test("a wait is shown whole, unless it would leave no room for the run", () => {
  expect(axisOf(0, 100, 1_000).from).toBe(0);
  expect(axisOf(0, 60_000, 61_000).from).toBe(59_750);
});

test("a run without any length has an axis all the same", () => {
  const axis = axisOf(5, 5, 5);
  expect(axis.to).toBeGreaterThan(axis.from);
});

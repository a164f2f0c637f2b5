import { expect, test } from "vitest";
import { parseRoute, runAddress, threadAddress } from "../src/app/route";

test.each([
  ["", { page: "home" }],
  ["#/", { page: "home" }],
  ["#/new", { page: "new" }],
  ["#/operate", { page: "operate", section: "agents" }],
  ["#/operate/audit", { page: "operate", section: "audit" }],
  ["#/nonsense/%E0%A4%A", { page: "home" }],
])("%s is read", (hash, expected) => {
  expect(parseRoute(hash)).toEqual(expected);
});

test("addresses come back as what they were made of", () => {
  expect(parseRoute(threadAddress("a/b ü"))).toMatchObject({ page: "thread", threadId: "a/b ü", runId: undefined });
  expect(parseRoute(runAddress("t", "run 1/2", "run?3"))).toEqual({
    page: "thread",
    threadId: "t",
    runId: "run 1/2",
    compareWith: "run?3",
  });
});

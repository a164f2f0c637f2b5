import { expect, test } from "vitest";
import { messageAddress, parseRoute, runAddress, threadAddress } from "../src/app/route";

test.each([
  ["", { page: "home" }],
  ["#/", { page: "home" }],
  ["#/new", { page: "new" }],
  ["#/operate", { page: "operate", section: "agents" }],
  ["#/operate/audit", { page: "operate", section: "audit" }],
  ["#/nonsense/%E0%A4%A", { page: "home" }],
  ["#/t/foo", { page: "home" }],
  ["#/t/a:b,c", { page: "home" }],
])("%s is read", (hash, expected) => {
  expect(parseRoute(hash)).toEqual(expected);
});

test("addresses come back as what they were made of", () => {
  const threadId = "0198c0de-0000-7000-8000-0000000000a1";
  expect(parseRoute(threadAddress(threadId))).toMatchObject({ page: "thread", threadId, runId: undefined });
  expect(parseRoute(messageAddress(threadId, 7))).toMatchObject({ page: "thread", threadId, seq: 7, runId: undefined });
  expect(parseRoute(runAddress(threadId, "run 1/2", "run?3"))).toEqual({
    page: "thread",
    threadId,
    runId: "run 1/2",
    compareWith: "run?3",
  });
});

test.each(["", "0", "-1", "1.5", "x", "9e99"])("a message that is no number is none: %s", (seq) => {
  const threadId = "0198c0de-0000-7000-8000-0000000000a1";
  expect(parseRoute(`#/t/${threadId}?seq=${seq}`)).toMatchObject({ page: "thread", seq: undefined });
});

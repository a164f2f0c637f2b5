import { expect, test } from "vitest";
import type { PlacedEvent, RunEvent, RunView } from "@parley/client";
import { childrenOf, membersOf, namedBy, type Branch } from "../../src/inspector/family";

/** Runs as the server lists them: the newest first, and all of a team with the root as their parent. */
function run(runId: string, parentRunId: string | null, rootRunId: string | null, created: string): RunView {
  return { runId, taskId: `task ${runId}`, parentRunId, rootRunId, created } as RunView;
}

const RUNS = [
  run("next", "root", null, "2026-01-01T00:00:05Z"),
  run("checker", "root", "root", "2026-01-01T00:00:03Z"),
  run("writer", "root", "root", "2026-01-01T00:00:02Z"),
  run("researcher", "root", "root", "2026-01-01T00:00:01Z"),
  run("root", null, null, "2026-01-01T00:00:00Z"),
];

const member = (subagentRunId: string, name: string, parentSubagentRunId?: string): PlacedEvent => ({
  position: 1,
  event: { type: "SUBAGENT_STARTED", subagentRunId, name, ...(parentSubagentRunId && { parentSubagentRunId }) } as RunEvent,
  runId: "root",
  resync: undefined,
});

const MEMBERS = membersOf([member("researcher", "Researcher"), member("writer", "作者"), member("checker", "Checker", "writer")]);
const find = (runId: string): RunView => RUNS.find((each) => each.runId === runId)!;
const told = (branches: Branch[]): unknown[] =>
  branches.map(({ runId, children }) => (children.length === 0 ? runId : [runId, ...told(children)]));

test("a team is what has the run as its root, and who works for whom is what the events say", () => {
  expect(told(childrenOf(find("root"), RUNS, MEMBERS))).toEqual(["researcher", ["writer", "checker"]]);
  expect(told(childrenOf(find("writer"), RUNS, MEMBERS))).toEqual(["checker"]);
  expect(MEMBERS.get("writer")?.name).toBe("作者");
});

test("without their events all of a team work for the run", () => {
  expect(told(childrenOf(find("root"), RUNS, new Map()))).toEqual(["researcher", "writer", "checker"]);
});

test("members whose runs were not read are there by what the events say", () => {
  const tree = childrenOf(find("root"), [find("root")], MEMBERS);
  expect(told(tree)).toEqual(["researcher", ["writer", "checker"]]);
  expect(tree[0]?.run).toBeUndefined();
});

test("a run whose client named a parent is none of the parent's team", () => {
  expect(childrenOf(find("next"), RUNS, new Map())).toEqual([]);
  expect(told(childrenOf(find("root"), RUNS, MEMBERS)).flat()).not.toContain("next");
  expect(namedBy(find("root"), RUNS).map((each) => each.runId)).toEqual(["next"]);
  expect(namedBy(find("writer"), RUNS)).toEqual([]);
});

test("members that claim to work for each other end the tree", () => {
  const circle = membersOf([member("researcher", "A", "writer"), member("writer", "B", "researcher")]);
  expect(told(childrenOf(find("researcher"), RUNS, circle))).toEqual(["writer"]);
});

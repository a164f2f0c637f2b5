import type { NodeView } from "@parley/client";
import { expect, test } from "vitest";
import { ago, isMixed, misfits, nameOf, presence } from "../../src/operator/nodes/states";

const node = (change: Partial<NodeView>): NodeView => ({
  node_id: "0198c0de-0000-7000-8000-000000000091",
  name: "节点 1",
  address: "http://10.0.0.11:8080",
  version: "0.1.0",
  state: "alive",
  answering: false,
  started_at: "2026-11-15T09:00:00Z",
  heartbeat_age_ms: 2140,
  runs_executing: 0,
  open_streams: 0,
  lane_queue: 0,
  bus_lag_ms: null,
  differences: [],
  ...change,
});

test("how many are there is said in a sentence", () => {
  expect(presence([node({})])).toBe("One node is there.");
  expect(presence([node({}), node({ state: "stopping" })])).toBe("2 nodes are there.");
  expect(presence([node({}), node({ state: "silent" })])).toBe("One node is there; one was within a day and fell silent.");
});

test("the longer ago something was, the less exactly it is told", () => {
  expect([-20, 2_140, 59_000, 61_000, 7_202_140].map(ago)).toEqual(["0 s ago", "2 s ago", "59 s ago", "1 min ago", "2 h ago"]);
});

test("a node that says nothing of itself has its id", () => {
  expect(nameOf(node({ name: null }))).toBe("0198c0de-0000-7000-8000-000000000091");
});

test("who does not fit together is named, unless it is gone", () => {
  const here = node({ name: "a", answering: true });
  const other = node({ name: "b", differences: ["jwt-secret", "something new"] });
  expect(misfits([here, other])).toEqual([
    "b and a refuse each other’s sign-ins: give all nodes the same jwt-secret.",
    "b and a differ in something new.",
  ]);
  expect(misfits([here, { ...other, state: "silent" }])).toEqual([]);
});

test("versions side by side are noticed, those of silent nodes not", () => {
  expect(isMixed([node({}), node({ version: "0.2.0" })])).toBe(true);
  expect(isMixed([node({}), node({ version: "0.2.0", state: "silent" })])).toBe(false);
});

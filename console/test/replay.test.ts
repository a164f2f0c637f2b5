import { expect, test } from "vitest";
import { Replay } from "../src/connection/replay";

const event = (type: string, run: string) => ({ type, metadata: { runId: run } });

test("a page that comes in the middle of an answer is told its beginning", () => {
  const replay = new Replay();
  replay.add({ event: event("RUN_STARTED", "a"), position: 1 });
  replay.add({ event: event("TEXT_MESSAGE_CONTENT", "a"), position: 2 });

  expect(replay.events.map((each) => each.position)).toEqual([1, 2]);
});

test("nothing is held once all runs are over", () => {
  const replay = new Replay();
  replay.add({ event: event("RUN_STARTED", "a"), position: 1 });
  replay.add({ event: event("RUN_STARTED", "b"), position: 2 });
  replay.add({ event: event("RUN_FINISHED", "a"), position: 3 });
  expect(replay.events).toHaveLength(3);

  replay.add({ event: event("RUN_ERROR", "b"), position: 4 });

  expect(replay.events).toHaveLength(0);
});

test("what is said in a thread without a run is not held", () => {
  const replay = new Replay();
  replay.add({ event: { type: "CUSTOM", name: "message_committed" }, position: 1 });
  replay.add({ event: { type: "CUSTOM", name: "message_committed", metadata: { runId: "a" } }, position: 2 });

  expect(replay.events).toHaveLength(0);
});

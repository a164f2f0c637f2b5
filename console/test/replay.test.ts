import { expect, test } from "vitest";
import { Replay } from "../src/connection/replay";

const said = (type: string, runId: string | undefined, position: number) => ({ event: { type }, runId, position });

test("a page that comes in the middle of an answer is told its beginning", () => {
  const replay = new Replay();
  replay.add(said("RUN_STARTED", "a", 1));
  replay.add(said("TEXT_MESSAGE_CONTENT", "a", 2));

  expect(replay.events.map((each) => each.position)).toEqual([1, 2]);
});

test("nothing is held of a run that is over", () => {
  const replay = new Replay();
  replay.add(said("RUN_STARTED", "a", 1));
  replay.add(said("RUN_STARTED", "b", 2));
  replay.add(said("RUN_FINISHED", "a", 3));
  expect(replay.events.map((each) => each.position)).toEqual([2]);

  replay.add(said("RUN_ERROR", "b", 4));

  expect(replay.events).toHaveLength(0);
});

test("what happens beside the runs, and what runs say that began before, is not held", () => {
  const replay = new Replay();
  replay.add(said("CUSTOM", undefined, 1));
  replay.add(said("TEXT_MESSAGE_CONTENT", "a", 2));

  expect(replay.events).toHaveLength(0);
});

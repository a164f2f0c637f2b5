import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { PlacedEvent, RunEvent, RunView } from "@parley/client";
import type { LiveEvent, ThreadListener } from "../../src/connection/line";
import { RunReader, type RunSource } from "../../src/inspector/runReader";

const live = (type: string, runId = "r"): LiveEvent => ({ type, metadata: { runId } });
const placed = (position: number, type: string): PlacedEvent => ({
  position,
  event: live(type) as unknown as RunEvent,
  runId: "r",
  resync: undefined,
});

/** A run that stands as the test says, in a thread that says what the test has it say. */
class Told implements RunSource {
  view = { runId: "r", rootRunId: null as string | null, ended: null as string | null, firstEvent: 1 as number | null };
  kept: PlacedEvent[] = [placed(1, "RUN_STARTED"), placed(4, "RUN_FINISHED")];
  listener: ThreadListener | undefined;
  opened = 0;

  async run(): Promise<RunView> {
    return { ...this.view } as RunView;
  }

  events(): AsyncIterable<PlacedEvent> & { close(): void } {
    this.opened++;
    const { kept } = this;
    return {
      close: () => {},
      async *[Symbol.asyncIterator]() {
        yield* kept;
      },
    };
  }

  watch(listener: ThreadListener): () => void {
    this.listener = listener;
    return () => (this.listener = undefined);
  }
}

let told: Told;
let reader: RunReader;
const types = (): string[] => reader.placed.map(({ event }) => event.type);
const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
  told = new Told();
  reader = new RunReader(told, () => {});
});
afterEach(() => {
  reader.close();
  vi.useRealTimers();
});

async function startAndJoin(): Promise<ThreadListener> {
  await reader.start();
  const listener = told.listener!;
  listener.onJoin();
  await settle();
  return listener;
}

test("what is over is read, and its thread not watched", async () => {
  told.view.ended = "2026-01-01T00:00:00Z";
  await reader.start();
  expect(types()).toEqual(["RUN_STARTED", "RUN_FINISHED"]);
  expect(reader.ended).toBe(true);
  expect(told.listener).toBeUndefined();
});

test("what goes on is heard among the other runs of its thread, without a connection of its own", async () => {
  const listener = await startAndJoin();
  listener.onEvent({ ...live("CUSTOM"), name: "message_committed" }, 0);
  listener.onEvent(live("RUN_STARTED"), 1);
  listener.onEvent(live("RUN_STARTED", "other"), 2);
  listener.onEvent(live("TEXT_MESSAGE_START"), 3);
  listener.onEvent(live("TEXT_MESSAGE_START"), 3);
  await vi.advanceTimersByTimeAsync(60_000);
  listener.onEvent(live("RUN_FINISHED", "other"), 4);
  expect(reader.ended).toBe(false);
  listener.onEvent(live("RUN_FINISHED"), 5);
  expect(types()).toEqual(["RUN_STARTED", "TEXT_MESSAGE_START", "RUN_FINISHED"]);
  expect(reader.ended).toBe(true);
  expect(told.listener).toBeUndefined();
  expect(told.opened).toBe(0);
});

test("the events of a member are its root's", async () => {
  told.view = { ...told.view, runId: "member", rootRunId: "r" };
  const listener = await startAndJoin();
  listener.onEvent(live("RUN_STARTED"), 1);
  expect(types()).toEqual(["RUN_STARTED"]);
});

test("it begins anew when it is told to, and what it had stays as it was", async () => {
  const listener = await startAndJoin();
  listener.onEvent(live("RUN_STARTED"), 1);
  const before = reader.placed;
  listener.onJoin();
  await settle();
  listener.onEvent(live("RUN_STARTED"), 1);
  listener.onEvent(live("STEP_STARTED"), 2);
  expect(types()).toEqual(["RUN_STARTED", "STEP_STARTED"]);
  expect(before).toHaveLength(1);
});

test("a run that ended before its thread was watched is read", async () => {
  await reader.start();
  told.view.ended = "2026-01-01T00:00:00Z";
  told.listener!.onJoin();
  await settle();
  expect(types()).toEqual(["RUN_STARTED", "RUN_FINISHED"]);
  expect(told.listener).toBeUndefined();
});

test("what is not told from its beginning is read", async () => {
  const listener = await startAndJoin();
  listener.onEvent(live("TEXT_MESSAGE_CONTENT"), 3);
  await settle();
  expect(types()).toEqual(["RUN_STARTED", "RUN_FINISHED"]);
});

test("events on their way before the join open no connection: the hub repeats them after it", async () => {
  await reader.start();
  const listener = told.listener!;
  listener.onEvent(live("TEXT_MESSAGE_CONTENT"), 3);
  listener.onJoin();
  listener.onEvent(live("RUN_STARTED"), 1);
  listener.onEvent(live("TEXT_MESSAGE_CONTENT"), 3);
  await settle();
  expect(types()).toEqual(["RUN_STARTED", "TEXT_MESSAGE_CONTENT"]);
  expect(told.opened).toBe(0);
});

test("a run whose thread is never joined is read by a connection of its own", async () => {
  await reader.start();
  await vi.advanceTimersByTimeAsync(11_000);
  expect(types()).toEqual(["RUN_STARTED", "RUN_FINISHED"]);
  expect(told.opened).toBe(1);
});

test("what is not told at all is read after a while", async () => {
  await startAndJoin();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(types()).toEqual(["RUN_STARTED", "RUN_FINISHED"]);
  expect(told.opened).toBe(1);
});

test("a run that waits for its turn is waited for", async () => {
  told.view.firstEvent = null;
  const listener = await startAndJoin();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(told.opened).toBe(0);
  listener.onEvent(live("RUN_STARTED"), 9);
  expect(types()).toEqual(["RUN_STARTED"]);
});

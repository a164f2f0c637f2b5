import { ParleyError, type Parley } from "@parley/client";
import { beforeEach, expect, test, vi } from "vitest";
import { Hub } from "../src/connection/hub";
import type { FromHub, Page } from "../src/connection/hubMessages";

/** A stream that says what the test has it say. */
class Told {
  readonly watched = new Map<string, number | undefined>();
  readonly #positions = new Map<string, number>();
  closed = false;
  #items: unknown[] = [];
  #failure: Error | undefined;
  #wake = (): void => {};

  say(...items: { kind: string; threadId?: string; position?: number }[]): void {
    for (const { kind, threadId, position } of items) {
      if (kind === "ready") {
        this.watched.forEach((after, each) => this.#positions.set(each, after ?? 0));
      } else if (kind === "event") {
        this.#positions.set(threadId!, position!);
      }
    }
    this.#items.push(...items);
    this.#wake();
  }

  watch(threadId: string, after?: number): void {
    this.watched.set(threadId, after);
  }

  unwatch(threadId: string): void {
    this.watched.delete(threadId);
  }

  position(threadId: string): number | undefined {
    return this.#positions.get(threadId);
  }

  close(): void {
    this.closed = true;
    this.#wake();
  }

  fail(failure: Error): void {
    this.#failure = failure;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown> {
    while (!this.closed) {
      if (this.#failure !== undefined) {
        throw this.#failure;
      }
      while (this.#items.length > 0) {
        yield this.#items.shift();
      }
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

class Listening implements Page {
  readonly told: FromHub[] = [];

  tell(message: FromHub): void {
    this.told.push(message);
  }

  of(type: FromHub["type"]): FromHub[] {
    return this.told.filter((each) => each.type === type);
  }
}

let streams: Told[];
let hub: Hub;
let bystander: Listening;
const event = (position: number, type: string, more: object = {}) => ({
  kind: "event",
  threadId: "t",
  position,
  runId: "r",
  event: { type },
  ...more,
});

beforeEach(() => {
  streams = [];
  hub = new Hub();
  bystander = new Listening();
  hub.add(bystander);
  hub.start(() => {
    const stream = new Told();
    streams.push(stream);
    return { stream: () => stream } as unknown as Parley;
  });
});

test("two pages on one thread share what comes, and the second is told how the answer began", async () => {
  const [one, two] = [new Listening(), new Listening()];
  hub.add(one);
  hub.watch(one, "t");
  streams[0]!.say({ kind: "ready" }, event(5, "RUN_STARTED"), event(6, "TEXT_MESSAGE_CONTENT"));
  await vi.waitFor(() => expect(one.of("event")).toHaveLength(2));

  hub.add(two);
  hub.watch(two, "t");
  streams[0]!.say(event(7, "RUN_FINISHED"));

  await vi.waitFor(() => expect(two.of("event").map((each) => "position" in each && each.position)).toEqual([5, 6, 7]));
  expect(streams[0]!.watched.size).toBe(1);
  expect(two.told.findIndex((each) => each.type === "join")).toBeLessThan(
    two.told.findIndex((each) => each.type === "event"),
  );
});

test("a thread is read once it is followed, and not before", async () => {
  const page = new Listening();
  hub.add(page);
  hub.watch(page, "t");
  expect(page.of("join")).toHaveLength(0);

  streams[0]!.say({ kind: "ready" });

  await vi.waitFor(() => expect(page.of("join")).toHaveLength(1));
});

test("another connection goes on where each thread was, and nothing is read again", async () => {
  const page = new Listening();
  hub.add(page);
  hub.watch(page, "t");
  hub.watch(page, "quiet");
  streams[0]!.say({ kind: "ready" }, event(9, "RUN_STARTED"));
  await vi.waitFor(() => expect(page.of("event")).toHaveLength(1));
  page.told.length = 0;

  hub.restart();
  expect([...streams[1]!.watched]).toEqual([
    ["t", 9],
    ["quiet", 0],
  ]);
  hub.watch(page, "new");
  streams[1]!.say({ kind: "ready" });

  await vi.waitFor(() => expect(page.of("join")).toEqual([{ type: "join", threadId: "new" }]));
  expect(streams[0]!.closed).toBe(true);
});

test("an agent's event that is called like one of the server's is only an event", async () => {
  const page = new Listening();
  hub.add(page);
  hub.watch(page, "t");
  streams[0]!.say({ kind: "ready" }, event(1, "CUSTOM", { event: { type: "CUSTOM", name: "resync" } }));

  await vi.waitFor(() => expect(page.of("event")).toHaveLength(1));
  expect(page.of("join")).toHaveLength(1);
});

test("more threads than the server follows can still be read", () => {
  const page = new Listening();
  hub.add(page);
  for (let number = 0; number < 33; number++) {
    hub.watch(page, `t${number}`);
  }

  expect(streams[0]!.watched.size).toBe(32);
  expect(page.of("join")).toEqual([{ type: "join", threadId: "t32" }]);
});

test("what does not lead on is read again", async () => {
  const page = new Listening();
  hub.add(page);
  hub.watch(page, "t");
  streams[0]!.say({ kind: "ready" });
  await vi.waitFor(() => expect(page.of("join")).toHaveLength(1));

  streams[0]!.say(event(40, "CUSTOM", { resync: { reason: "expired", reload: [] } }));

  await vi.waitFor(() => expect(page.of("join")).toHaveLength(2));
  expect(page.of("event")).toHaveLength(0);
});

test("a thread that nobody looks at any more is not followed, and without pages nothing is", () => {
  const [one, two] = [new Listening(), new Listening()];
  [one, two].forEach((page) => {
    hub.add(page);
    hub.watch(page, "t");
  });

  hub.remove(bystander);
  hub.unwatch(one, "t");
  expect(streams[0]!.watched.has("t")).toBe(true);
  hub.remove(two);
  expect(streams[0]!.watched.has("t")).toBe(false);
  hub.remove(one);

  expect(streams[0]!.closed).toBe(true);
  expect(hub.isIdle).toBe(true);
});

test("a thread that is gone can be followed again once it is there", async () => {
  const page = new Listening();
  hub.add(page);
  hub.watch(page, "t");
  streams[0]!.say({ kind: "ready" }, { kind: "gone", threadId: "t" });
  await vi.waitFor(() => expect(page.of("gone")).toHaveLength(1));
  streams[0]!.watched.clear();

  hub.watch(page, "t");

  expect(streams[0]!.watched.has("t")).toBe(true);
});

test("a server that follows fewer is asked for fewer, and the last ones can still be read", async () => {
  const page = new Listening();
  hub.add(page);
  ["a", "b", "c"].forEach((threadId) => hub.watch(page, threadId));

  streams[0]!.fail(new ParleyError(400, "{}", null, false));

  await vi.waitFor(() => expect(streams).toHaveLength(2));
  expect([...streams[1]!.watched.keys()]).toEqual(["a", "b"]);
  expect(page.of("join")).toEqual([{ type: "join", threadId: "c" }]);
  hub.watch(page, "d");
  expect(streams[1]!.watched.has("d")).toBe(false);
});

import { ParleyError } from "@parley/client";
import { beforeEach, expect, test, vi } from "vitest";
import { Outbox, type Pending } from "../src/composer/outbox";

let kept: Map<string, string>;
const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
  key: (at: number) => [...kept.keys()][at] ?? null,
  get length() {
    return kept.size;
  },
} as Storage;

beforeEach(() => {
  kept = new Map();
});

const said = (key: string, threadId = "t"): Pending => ({
  key,
  threadId,
  text: `text ${key}`,
  images: [],
  mentions: [],
  createdAt: "2026-01-01T00:00:00Z",
  way: "message",
});

const refusal = (status: number) =>
  new ParleyError(status, JSON.stringify({ detail: "No.", retryable: status >= 500, status }), null, false);

test("what arrived is pending no more, and is sent in the order in which it was written", async () => {
  const sent: string[] = [];
  const outbox = new Outbox("user:ada", async (pending) => void sent.push(pending.key), storage);

  outbox.send(said("1"));
  outbox.send(said("2"));

  await vi.waitFor(() => expect(outbox.pending()).toEqual([]));
  expect(sent).toEqual(["1", "2"]);
  expect(kept.size).toBe(0);
});

test("what gets no answer is sent again under the same key as soon as there is a network", async () => {
  const keys: string[] = [];
  const outbox = new Outbox("user:ada", async (pending) => {
    keys.push(pending.key);
    if (keys.length === 1) {
      throw new Error("offline");
    }
  }, storage);

  outbox.send(said("1"));
  await vi.waitFor(() => expect(keys).toHaveLength(1));
  expect(outbox.pending()).toHaveLength(1);
  await vi.waitFor(() => {
    outbox.resume();
    expect(keys).toEqual(["1", "1"]);
  });

  await vi.waitFor(() => expect(outbox.pending()).toEqual([]));
});

test("a page that is loaded again sends what the one before could not", async () => {
  const first = new Outbox("user:ada", () => new Promise(() => {}), storage);
  first.send(said("1"));
  const keys: string[] = [];
  const second = new Outbox("user:ada", async (pending) => void keys.push(pending.key), storage);

  second.resume();

  await vi.waitFor(() => expect(second.pending()).toEqual([]));
  expect(keys).toEqual(["1"]);
});

test("what was refused stays with its reason and keeps nothing else from being sent", async () => {
  const outbox = new Outbox("user:ada", async ({ key }) => {
    if (key === "bad") {
      throw refusal(400);
    }
  }, storage);

  outbox.send(said("bad"));
  outbox.send(said("good"));

  await vi.waitFor(() => expect(outbox.pending()).toEqual([{ ...said("bad"), refusal: "No." }]));
  outbox.giveUp("bad");
  expect(outbox.pending()).toEqual([]);
});

test("threads do not wait for each other", async () => {
  const keys: string[] = [];
  const outbox = new Outbox("user:ada", ({ key, threadId }) => {
    keys.push(key);
    return threadId === "stuck" ? new Promise(() => {}) : Promise.resolve();
  }, storage);

  outbox.send(said("1", "stuck"));
  outbox.send(said("2", "other"));

  await vi.waitFor(() => expect(keys).toEqual(["1", "2"]));
});

test("what somebody wrote is not sent by somebody else", () => {
  new Outbox("user:ada", () => new Promise(() => {}), storage).send(said("1"));

  expect(new Outbox("user:bob", () => Promise.resolve(), storage).pending()).toEqual([]);
});

test("two tabs keep what each has written", () => {
  const [one, other] = ["1", "2"].map(() => new Outbox("user:ada", () => new Promise(() => {}), storage));
  one!.send(said("1"));
  other!.send(said("2"));

  const again = new Outbox("user:ada", () => new Promise(() => {}), storage);
  expect(again.pending().map((each) => each.key)).toEqual(["1", "2"]);
});

test("a storage that is full or broken does not keep anything from being sent", async () => {
  kept.set("parley.outbox.user:ada.x", "{");
  const full = { ...storage, setItem: () => { throw new Error("full"); }, key: storage.key, length: 1 } as Storage;
  const keys: string[] = [];
  const outbox = new Outbox("user:ada", async ({ key }) => void keys.push(key), full);

  outbox.send(said("1"));

  await vi.waitFor(() => expect(keys).toEqual(["1"]));
});

import { ParleyError, type InboxHint, type Parley, type ThreadView } from "@parley/client";
import { beforeEach, expect, test, vi } from "vitest";
import type { Line } from "../src/connection/line";
import { ThreadStore } from "../src/threads/threadStore";

/** Threads as a server would list and give them. */
let threads: Map<string, ThreadView>;
let listed: { limit?: number; q?: string }[];
let hear: (hint: InboxHint | undefined) => void;
let store: ThreadStore;

function thread(id: string, minute: number, more: Partial<ThreadView> = {}): ThreadView {
  const at = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
  return {
    thread_id: id,
    thread_type: "private",
    title: `Thread ${id}`,
    is_archived: false,
    participants: [],
    last_seq: minute,
    last_message_at: at,
    last_message_preview: null,
    unread_count: 0,
    participation_mode: "open",
    created_at: at,
    ...more,
  };
}

const parley = {
  threads: {
    list: ({ limit = 50, q, cursor }: { limit?: number; q?: string; cursor?: string }) => {
      listed.push({ limit, q });
      const all = [...threads.values()].filter((each) => each.title?.includes(q ?? "")).sort((a, b) => b.last_seq - a.last_seq);
      const from = Number(cursor ?? 0);
      const next = from + limit < all.length ? String(from + limit) : null;
      return Promise.resolve({ threads: all.slice(from, from + limit), next_cursor: next });
    },
  },
  thread: (id: string) => ({
    get: () => {
      const found = threads.get(id);
      return found === undefined ? Promise.reject(new ParleyError(404, "{}", null, false)) : Promise.resolve(found);
    },
  }),
} as unknown as Parley;

const line = {
  onInbox: (listener: typeof hear) => {
    hear = listener;
    return () => {};
  },
} as unknown as Line;

const ids = (): string[] => store.view().threads.map((each) => each.thread_id);
const hint = (thread_id: string): InboxHint => ({ thread_id, last_seq: 0, unread_count: 0, should_respond: null });

beforeEach(async () => {
  threads = new Map([thread("a", 1), thread("b", 2)].map((each) => [each.thread_id, each]));
  listed = [];
  store = new ThreadStore(parley);
  store.follow(line);
  await vi.waitFor(() => expect(store.view().loading).toBe(false));
});

test("what becomes active comes to the top, and new ones appear", async () => {
  expect(ids()).toEqual(["b", "a"]);
  threads.set("a", thread("a", 3));
  threads.set("c", thread("c", 4));

  hear(hint("a"));
  hear(hint("c"));

  await vi.waitFor(() => expect(ids()).toEqual(["c", "a", "b"]));
});

test("a thread that is gone is missing", async () => {
  threads.delete("a");

  hear(hint("a"));

  await vi.waitFor(() => expect(store.isMissing("a")).toBe(true));
  expect(ids()).toEqual(["b"]);
});

test("whoever has gone far down does not lose the place when all is read again", async () => {
  for (let number = 0; number < 120; number++) {
    threads.set(`t${number}`, thread(`t${number}`, 10 + number));
  }
  await store.reload();
  expect(ids()).toHaveLength(50);
  await store.more();
  expect(ids()).toHaveLength(100);

  hear(undefined);

  await vi.waitFor(() => expect(listed.at(-1)?.limit).toBe(100));
  await vi.waitFor(() => expect(store.view().loading).toBe(false));
  expect(ids()).toHaveLength(100);
});

test("an older reading does not undo a newer one", () => {
  store.put(thread("a", 9, { title: "new" }));

  store.put(thread("a", 5, { title: "old" }));

  expect(store.thread("a")?.title).toBe("new");
});

test("a list that was read before a thread does not undo what the thread's reading brought", async () => {
  store.put(thread("a", 9, { last_message_preview: "new" }));

  await store.reload();

  expect(store.thread("a")?.last_message_preview).toBe("new");
});

test("what does not match the search is not listed, though it is known", async () => {
  store.search("Thread b", false);
  await vi.waitFor(() => expect(ids()).toEqual(["b"]));
  threads.set("a", thread("a", 9));

  hear(hint("a"));

  await vi.waitFor(() => expect(store.thread("a")?.last_seq).toBe(9));
  expect(ids()).toEqual(["b"]);
});

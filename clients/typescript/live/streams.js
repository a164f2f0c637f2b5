import assert from "node:assert/strict";
import { test } from "node:test";
import { ada, bob, collect, faults, unlucky } from "./setting.js";

const LIMIT = { timeout: 90_000 };

test("every event comes once and in order, however often the connection is cut", LIMIT, async () => {
  const { thread_id } = await ada.threads.create();
  const states = [];
  const follow = unlucky.thread(thread_id).follow({ after: 0, onState: (state) => states.push(state.kind) });
  const listening = collect(follow, (event) => event.content === "40");
  for (let number = 1; number <= 40; number++) {
    await ada.thread(thread_id).post(String(number));
    if (number % 8 === 0) {
      await faults("cut");
    }
  }
  const said = (await listening).filter((each) => each.event_type === "message_committed");
  assert.deepEqual(said.map((each) => each.thread_seq), Array.from({ length: 40 }, (_, index) => index + 1));
  assert.deepEqual(said.map((each) => each.content), said.map((each) => String(each.thread_seq)));
  assert.equal(follow.violations, 0);
  assert.ok(states.filter((each) => each === "open").length > 1, states.join());
  assert.equal(states.at(-1), "closed");
});

test("from the end on, only what is new is heard, and who is writing", LIMIT, async () => {
  const { thread_id } = await ada.threads.create({ initial_message: "old" });
  const thread = ada.thread(thread_id);
  await thread.rename("Title");
  const typing = [];
  let opened;
  const open = new Promise((resolve) => (opened = resolve));
  const follow = thread.follow({
    after: await thread.end(),
    onTyping: (each) => typing.push(each.status),
    onState: (state) => state.kind === "open" && opened(),
  });
  const listening = collect(follow, () => true);
  await open;
  await thread.participants.add([(await bob.whoAmI()).sender_id]);
  await listening;

  const after = follow.cursor;
  const polled = await thread.poll({ after, wait: 0 });
  assert.deepEqual(polled.events, []);
  assert.match(after, /^1-[0-9]+$/);

  const hearing = thread.follow({ after, onTyping: (each) => typing.push(each.status) });
  const heard = collect(hearing, (event) => event.content === "done");
  while (typing.length === 0) {
    await bob.thread(thread_id).typing();
  }
  await bob.thread(thread_id).post("done");
  await heard;
  assert.equal(typing[0], "started");
});

test("a thread that one is not in cannot be followed", LIMIT, async () => {
  const { thread_id } = await ada.threads.create();
  await assert.rejects(bob.thread(thread_id).follow({ after: 0 }).next(), (error) => error.status === 404);
});

test("the inbox tells of all threads, also after a cut", LIMIT, async () => {
  const { thread_id } = await bob.threads.create({ participants: [(await ada.whoAmI()).sender_id] });
  let opened = 0;
  let wake = () => {};
  const inbox = unlucky.inbox({
    onState: (state) => {
      opened += state.kind === "open" ? 1 : 0;
      wake();
    },
  });
  const times = async (count) => {
    while (opened < count) {
      await new Promise((resolve) => (wake = resolve));
    }
  };
  const hints = collect(inbox, (hint) => hint.thread_id === thread_id && hint.last_seq === 2);
  await times(1);
  await bob.thread(thread_id).post("one");
  await faults("cut");
  await times(2);
  await bob.thread(thread_id).post("two");
  const last = (await hints).at(-1);
  assert.deepEqual(last, { thread_id, last_seq: 2, unread_count: 2, should_respond: null });
});

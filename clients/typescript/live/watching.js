import assert from "node:assert/strict";
import { test } from "node:test";
import { Parley } from "../dist/index.js";
import { ada, bob, faults, unlucky, url } from "./setting.js";

const LIMIT = { timeout: 90_000 };

/** Takes from a stream until it is enough, without leaving it. */
async function until(items, isEnough) {
  const taken = [];
  for (let next = await items.next(); !next.done; next = await items.next()) {
    taken.push(next.value);
    if (isEnough(next.value, taken)) {
      break;
    }
  }
  return taken;
}

const isSaid = (item, text) =>
  item.kind === "event" && item.event.type === "CUSTOM" && JSON.stringify(item.event.value ?? null).includes(text);

test("many threads come by one connection, each event once and in order, whatever changes or is cut", LIMIT, async () => {
  const threads = [];
  for (const title of ["one", "二", "ثلاثة"]) {
    threads.push((await ada.threads.create({ title })).thread_id);
  }
  const [first, second, third] = threads;
  const items = unlucky.stream();
  items.watch(first, 0);
  items.watch(second, 0);
  const positions = new Map(threads.map((each) => [each, []]));
  const note = (item) => item.kind === "event" && positions.get(item.threadId).push(item.position);
  for (let round = 1; round <= 12; round++) {
    for (const each of threads) {
      await ada.thread(each).post(`message ${round} of ${each}`);
    }
    if (round === 4) {
      items.watch(third, 0);
    }
    if (round === 6) {
      items.unwatch(second);
    }
    if (round === 9) {
      items.watch(second, positions.get(second).at(-1));
    }
    if (round % 5 === 0) {
      await faults("cut");
    }
    await until(items, (item) => note(item) !== false && isSaid(item, `message ${round} of ${first}`));
  }
  const open = new Set([second, third]);
  for (const each of open) {
    await ada.thread(each).post("the end");
  }
  await until(items, (item) => {
    note(item);
    if (isSaid(item, "the end")) {
      open.delete(item.threadId);
    }
    return open.size === 0;
  });
  items.close();
  assert.equal(items.violations, 0);
  for (const each of threads) {
    const wanted = [];
    const follow = ada.runs.followThread(each, { after: 0 });
    await until(follow, ({ position }) => wanted.push(position) >= positions.get(each).length);
    follow.close();
    assert.deepEqual(positions.get(each), wanted);
  }
});

test("hints, answers, typing and the loss of a thread are told", LIMIT, async () => {
  const me = (await ada.whoAmI()).sender_id;
  const { thread_id } = await bob.threads.create({ participants: [me] });
  const items = ada.stream();
  items.watch(thread_id);
  items.watch(crypto.randomUUID());
  const begun = await until(items, (item) => item.kind === "gone");
  assert.equal(begun[0].kind, "ready");

  await bob.thread(thread_id).post("hello");
  // Hints of other threads may still be on their way.
  const isHint = (item) => item.kind === "inbox" && item.hint.thread_id === thread_id && item.hint.last_seq === 1;
  await until(items, (_, taken) => taken.some(isHint) && taken.some((each) => isSaid(each, "hello")));

  const typing = until(items, (item) => item.kind === "typing");
  await bob.thread(thread_id).typing();
  assert.equal((await typing).at(-1).typing.status, "started");

  const { runId } = await bob.runs.say(thread_id, "/slow 20");
  const answer = await until(items, (item) => item.kind === "event" && item.event.type === "RUN_FINISHED");
  const own = answer.filter((each) => each.kind === "event" && each.runId === runId);
  assert.ok(own.some((each) => each.event.type === "TEXT_MESSAGE_CONTENT"), JSON.stringify(own.map((each) => each.event.type)));

  await bob.thread(thread_id).participants.remove(me);
  const end = await until(items, (item) => item.kind === "gone");
  assert.equal(end.at(-1).threadId, thread_id);
  items.close();
});

test("how to sign in is told to anybody", LIMIT, async () => {
  const { local, oidc } = await Parley.connect({ url }).signIn();
  assert.deepEqual([typeof local, oidc], ["boolean", null]);
});

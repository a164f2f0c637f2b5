import assert from "node:assert/strict";
import { test } from "node:test";
import { ada, bob, collect, losing } from "./setting.js";

const LIMIT = { timeout: 60_000 };

test("a thread is made, found, renamed, archived and deleted", LIMIT, async () => {
  const made = await ada.threads.create({ title: "Zwölf 中文 العربية 🦊", initial_message: "first" });
  assert.equal(made.last_seq, 1);
  const thread = ada.thread(made.thread_id);
  assert.deepEqual(await thread.get(), { ...(await thread.get()), thread_id: made.thread_id, title: made.title });

  const found = await collect(ada.threads.all({ q: "العربية", limit: 1 }));
  assert.deepEqual(found.map((each) => each.thread_id), [made.thread_id]);

  assert.equal((await thread.rename("Another")).title, "Another");
  await thread.archive();
  await assert.rejects(thread.post("too late"), (error) => error.status === 409 && error.slug === "thread-archived");
  assert.ok((await collect(ada.threads.all({ archived: true }))).some((each) => each.thread_id === made.thread_id));
  await thread.archive(false);
  assert.equal((await thread.post("in time")).thread_seq, 2);

  await thread.delete();
  await assert.rejects(thread.get(), (error) => error.status === 404 && error.slug === "thread-not-found");
});

test("people come and go, read, and set when agents answer", LIMIT, async () => {
  const { thread_id } = await ada.threads.create();
  const thread = ada.thread(thread_id);
  const other = (await bob.whoAmI()).sender_id;
  await assert.rejects(bob.thread(thread_id).get(), (error) => error.status === 404);

  const joined = await thread.participants.add([other]);
  assert.deepEqual(joined.participants.map((each) => each.sender_id).includes(other), true);
  await thread.post("one");
  await thread.post("two");
  assert.equal((await bob.thread(thread_id).get()).unread_count, 2);
  assert.equal(await bob.thread(thread_id).markRead(1), 1);
  assert.equal(await bob.thread(thread_id).markRead(), 2);
  assert.equal((await bob.thread(thread_id).get()).unread_count, 0);

  await thread.participants.setMode("invocation_only");
  assert.equal((await thread.get()).participation_mode, "invocation_only");
  await assert.rejects(bob.thread(thread_id).rename("mine"), (error) => error.status === 403);
  await bob.thread(thread_id).participants.leave();
  await thread.participants.add([other]);
  await thread.participants.remove(other);
  await assert.rejects(bob.thread(thread_id).get(), (error) => error.status === 404);
});

test("a thread whose answer is lost is made once", LIMIT, async () => {
  const title = `Once ${Date.now()}`;
  const made = await losing("POST", (unlucky) => unlucky.threads.create({ title, initial_message: "a" }));
  const found = await collect(ada.threads.all({ q: title }));
  assert.deepEqual(found.map((each) => each.thread_id), [made.thread_id]);
  await losing("DELETE", (unlucky) => unlucky.thread(made.thread_id).delete());
});

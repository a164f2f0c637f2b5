import assert from "node:assert/strict";
import { test } from "node:test";
import { isStale, Parley, tokenizeMentions } from "../dist/index.js";
import { ada, bob, collect, losing, url } from "./setting.js";

const LIMIT = { timeout: 60_000 };
const TEXTS = ["你好,世界", "مرحبا بالعالم", "👩‍🔬🏳️‍🌈 e\u0301", "line\nline"];

test("messages are as they were written, in pages of any kind", LIMIT, async () => {
  const { thread_id } = await ada.threads.create();
  const { messages } = ada.thread(thread_id);
  for (const text of TEXTS) {
    await messages.post(text);
  }
  const contents = (page) => page.messages.map((each) => each.content);
  assert.deepEqual(contents(await messages.list()), TEXTS);
  assert.deepEqual(contents(await messages.list({ after: 1, limit: 2 })), TEXTS.slice(1, 3));
  assert.deepEqual(contents(await messages.list({ before: 3, limit: 1 })), TEXTS.slice(1, 2));
  assert.deepEqual((await collect(messages.all({ limit: 1 }))).map((each) => each.content), TEXTS);
});

test("second thoughts are entries of the log", LIMIT, async () => {
  const { thread_id } = await ada.threads.create();
  const thread = ada.thread(thread_id);
  const { id } = await thread.post("frist");
  assert.equal((await thread.message(id).edit("first")).content, "first");
  const reacted = await thread.message(id).react("👍🏽");
  assert.deepEqual(reacted.reactions.map((each) => each.emoji), ["👍🏽"]);
  assert.deepEqual((await thread.message(id).unreact("👍🏽")).reactions, []);
  await thread.message(id).delete();
  const [left] = (await thread.messages.list()).messages;
  assert.equal(left.content, "");
  assert.notEqual(left.deleted_at, null);
  const { entries } = await thread.messages.entries();
  assert.deepEqual(entries.map((each) => each.kind), ["message", "edit", "reaction", "reaction_removed", "deletion"]);
});

test("a message whose answer is lost is written once", LIMIT, async () => {
  const { thread_id } = await ada.threads.create();
  const posted = await losing("POST", (unlucky) => unlucky.thread(thread_id).post("once"));
  assert.equal(posted.duplicate, true);
  assert.equal((await ada.thread(thread_id).get()).last_seq, 1);
  const again = { content: "another", client_message_id: posted.client_message_id };
  await assert.rejects(ada.thread(thread_id).post(again), (error) => error.slug === "key-reused");
});

test("fields at fault are told", LIMIT, async () => {
  const { thread_id } = await ada.threads.create();
  const foreign = { content: "hi", mentions: ["user:00000000-0000-4000-8000-000000000000"] };
  await assert.rejects(ada.thread(thread_id).post(foreign), (error) => {
    assert.deepEqual([error.status, error.slug, error.retryable], [400, "invalid-fields", false]);
    assert.ok(error.errors.some((each) => each.field.startsWith("mentions")), JSON.stringify(error.errors));
    return true;
  });
});

test("who is mentioned is the same here and there", LIMIT, async () => {
  const other = await bob.whoAmI();
  const { thread_id, participants } = await ada.threads.create({ participants: [other.sender_id] });
  for (const text of ["@Bob hello", "@bobby", "你好@Bob你好", "mail@bob", "@Ada and (@BOB)"]) {
    const posted = await ada.thread(thread_id).post(text);
    const here = tokenizeMentions(text, participants).flatMap((each) => each.sender_ids ?? []);
    assert.deepEqual([...posted.mentions].sort(), here.sort(), text);
  }
});

test("an agent that had not read everything thinks again", LIMIT, async () => {
  const agent = await ada.owner.createAgent({ display_name: "Builder", kind: "external" });
  const { raw_token } = await ada.owner.createToken({ agent_actor_id: agent.sender_id, scopes: ["observe", "speak"] });
  const builder = Parley.connect({ url, token: raw_token });
  assert.equal((await builder.whoAmI()).kind, "agent");
  const { thread_id } = await ada.threads.create({ participants: [agent.sender_id], initial_message: "question" });
  await ada.thread(thread_id).post("wait, another one");

  const thread = builder.thread(thread_id);
  const reply = { content: "answer", base_seq: 1, on_stale: "reject" };
  const refused = await thread.postAsAgent(reply).catch((error) => error);
  assert.equal(refused.staleContext.currentSeq, 2);
  assert.deepEqual(refused.staleContext.missed.map((each) => each.content), ["wait, another one"]);
  assert.equal(isStale(1, refused.staleContext.currentSeq), true);
  const accepted = await thread.postAsAgent({ ...reply, base_seq: 2 });
  assert.deepEqual([accepted.stale, accepted.stale_lag, accepted.thread_seq], [false, 0, 3]);

  const [token] = (await ada.owner.tokens()).filter((each) => each.agent_actor_id === agent.sender_id);
  await ada.owner.revokeToken(token.token_id);
  await assert.rejects(thread.get(), (error) => error.status === 401);
  await ada.owner.deleteAgent(agent.agent_id);
});

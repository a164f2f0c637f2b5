import assert from "node:assert/strict";
import { test } from "node:test";
import { Parley } from "../dist/index.js";
import { ada, bob, losing, operator, url } from "./setting.js";

const LIMIT = { timeout: 60_000 };

test("an integration's key is shown once, works, is in the audit, and is revoked", LIMIT, async () => {
  const made = await operator.operator.createIntegrationKey("relay");
  assert.ok(made.raw_key.startsWith(made.key_prefix));
  assert.equal((await Parley.connect({ url, token: made.raw_key }).whoAmI()).kind, "integration");
  const [listed] = (await operator.operator.integrationKeys()).filter((each) => each.key_id === made.key_id);
  assert.deepEqual(listed, { ...made, raw_key: null });
  await operator.operator.revokeIntegrationKey(made.key_id);
  await assert.rejects(Parley.connect({ url, token: made.raw_key }).whoAmI(), (error) => error.status === 401);

  const { acts } = await operator.operator.audit({ limit: 2 });
  assert.deepEqual(acts.map((each) => each.action), ["integration_key.revoked", "integration_key.created"]);
  const older = await operator.operator.audit({ before: acts[1].audit_id });
  assert.ok(older.acts.every((each) => each.audit_id < acts[1].audit_id));
  await assert.rejects(bob.operator.audit(), (error) => error.status === 403);
});

test("why a message was not answered is told", LIMIT, async () => {
  const { raw_key, key_id } = await operator.operator.createIntegrationKey("tracer");
  const external_message_id = `中-${Date.now()}`;
  const who = { sender_id: "tracer:1", sender_type: "human", sender_display_name: "美咲" };
  const msg_metadata = { source: "tracer", ...who, external_message_id };
  const answer = await fetch(`${url}/api/v1/ingest/chat`, {
    method: "POST",
    headers: { Authorization: `Bearer ${raw_key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ message: "just so you know", passive: true, msg_metadata }),
  });
  assert.equal(answer.status, 202, await answer.clone().text());
  const [trace] = await operator.integrations.trace({ source: "tracer", external_message_id });
  assert.deepEqual([trace.sender_id, trace.engagement.run, trace.run], ["tracer:1", false, null]);
  assert.deepEqual(trace.deliveries, []);
  assert.deepEqual(await bob.integrations.trace({ source: "tracer", external_message_id }), []);
  await operator.operator.revokeIntegrationKey(key_id);
});

test("a webhook's secret is shown once", LIMIT, async () => {
  const { thread_id } = await ada.threads.create();
  const { webhooks, deliveries } = ada.thread(thread_id);
  const made = await webhooks.create("http://127.0.0.1:9/parley");
  assert.match(made.secret, /^whsec_/);
  const listed = await webhooks.list();
  assert.deepEqual(listed.map((each) => [each.webhook_id, each.secret]), [[made.webhook_id, undefined]]);
  assert.equal((await webhooks.enable(made.webhook_id)).state, "on");
  assert.equal((await webhooks.redeliver(made.webhook_id, 0)).webhook_id, made.webhook_id);
  await assert.rejects(webhooks.create("http://127.0.0.1/"), (error) => error.errors[0].field === "callback_url");
  await losing("DELETE", (unlucky) => unlucky.thread(thread_id).webhooks.delete(made.webhook_id));
  assert.deepEqual(await webhooks.list(), []);
  assert.deepEqual(await deliveries.list(), { deliveries: [], has_more: false });
});

test("a link to somebody of another platform is begun and taken back", LIMIT, async () => {
  const begun = await ada.identityLinks.begin({ source: "slack" });
  assert.ok(begun.message.includes(begun.code));
  const [listed] = await ada.identityLinks.list();
  assert.deepEqual([listed.link_id, listed.state, listed.code], [begun.link_id, "pending", null]);
  await ada.identityLinks.remove(begun.link_id);
  assert.deepEqual(await ada.identityLinks.list(), []);
});

test("figures grow with what is said, and nothing is dead", LIMIT, async () => {
  const entries = async () => (await operator.operator.figures()).get("parley_log_entries_total")[0].value;
  const before = await entries();
  await ada.threads.create({ initial_message: "one" });
  assert.ok((await entries()) > before);
  const counted = (await operator.operator.figures()).get("parley_http_requests_seconds_count");
  assert.ok(counted.some((each) => each.labels.method === "POST" && each.value > 0));
  assert.deepEqual(await operator.operator.deadLetters(), { deliveries: [], has_more: false });
  await assert.rejects(operator.operator.replay(crypto.randomUUID()), (error) => error.slug === "delivery-not-found");
});

test("the server finds itself among its nodes", LIMIT, async () => {
  const [node, ...others] = await operator.operator.nodes();
  assert.deepEqual(others, []);
  assert.equal(node.state, "alive");
  assert.equal(node.answering, true);
  assert.deepEqual(node.differences, []);
  await assert.rejects(ada.operator.nodes(), (error) => error.status === 403);
});

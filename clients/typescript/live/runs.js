import assert from "node:assert/strict";
import { test } from "node:test";
import { ada, collect, faults, losing, png, unlucky } from "./setting.js";

const LIMIT = { timeout: 90_000 };
const types = (events) => events.map((each) => each.event.type);

test("an answer is read to its end though the connection is cut, and is what the thread then has", LIMIT, async () => {
  const threadId = crypto.randomUUID();
  const { runId } = await losing("POST", (client) => client.runs.say(threadId, "/slow 40"));
  const follow = unlucky.runs.follow(threadId, runId);
  const events = [];
  for await (const each of follow) {
    events.push(each);
    if (events.length % 12 === 0) {
      await faults("cut");
    }
  }
  assert.equal(types(events)[0], "RUN_STARTED");
  assert.equal(types(events).at(-1), "RUN_FINISHED");
  assert.deepEqual([follow.ended, follow.violations], [true, 0]);
  const text = events.map((each) => (each.event.type === "TEXT_MESSAGE_CONTENT" ? each.event.delta : "")).join("");
  const { messages } = await ada.thread(threadId).messages.list();
  assert.deepEqual(messages.map((each) => each.role), ["user", "assistant"]);
  assert.equal(messages[1].content, text);
  assert.equal(text.trim().split(/\s+/).length, 40);

  const run = await ada.runs.get(threadId, runId);
  assert.equal(run.state, "completed");
  assert.deepEqual((await ada.runs.list(threadId)).runs.map((each) => each.runId), [runId]);
  assert.equal(await ada.runs.find(threadId, "no such run"), undefined);

  const middle = events[Math.floor(events.length / 2)].position;
  const rest = await collect(ada.runs.follow(threadId, runId, { after: middle }));
  assert.ok(rest.every((each) => each.position > middle));
  assert.equal(types(rest).at(-1), "RUN_FINISHED");
});

test("a run that is cancelled is over, and says so", LIMIT, async () => {
  const threadId = crypto.randomUUID();
  const { runId } = await ada.runs.say(threadId, "/slow 2000");
  const watching = collect(ada.runs.follow(threadId, runId));
  await collect(ada.runs.follow(threadId, runId), (each) => each.event.type === "TEXT_MESSAGE_CONTENT");
  assert.equal((await ada.runs.cancel(threadId, runId)).status, "accepted");
  const last = (await watching).at(-1).event;
  assert.deepEqual([last.type, last.outcome], ["RUN_FINISHED", { type: "cancelled" }]);
  assert.equal((await ada.runs.get(threadId, runId)).state, "cancelled");
});

test("tools, state, failures and questions are told as events", LIMIT, async () => {
  const threadId = crypto.randomUUID();
  const play = async (text, options) => {
    const { runId } = await ada.runs.say(threadId, text, options);
    return (await collect(ada.runs.follow(threadId, runId))).map((each) => each.event);
  };
  const weather = await play("weather in 里斯本");
  assert.equal(weather.find((each) => each.type === "TOOL_CALL_START").toolCallName, "get_weather");
  await play('/state {"a": 1}');
  assert.deepEqual((await ada.runs.state(threadId)).state, { a: 1, updated: true });
  assert.equal((await play("/fail")).at(-1).code, "demo_failure");
  const { outcome } = (await play("/approve Sure?")).at(-1);
  const yes = { status: "resolved", payload: { approved: true } };
  const resume = outcome.interrupts.map(({ id }) => ({ interruptId: id, ...yes }));
  assert.equal((await play("go on", { resume })).at(-1).type, "RUN_FINISHED");
});

test("what the agent was shown can be looked at and compared", LIMIT, async () => {
  const threadId = crypto.randomUUID();
  const runIds = [];
  for (const text of ["one", "two"]) {
    const { runId } = await ada.runs.say(threadId, text);
    await collect(ada.runs.follow(threadId, runId));
    runIds.push(runId);
  }
  const context = await ada.runs.context(threadId, runIds[1]);
  assert.equal(context.messages.filter((each) => each.role !== "system").length, 3);
  const diff = await ada.runs.contextDiff(threadId, runIds[1], runIds[0]);
  assert.ok(diff.added.length + diff.removed.length > 0);
});

test("an image is uploaded once, shown to the agent, and seen again in the history", LIMIT, async () => {
  const threadId = crypto.randomUUID();
  const told = [];
  const options = { filename: "图 1.png", threadId, onProgress: (sent, total) => told.push([sent, total]) };
  const image = await losing("POST", (client) => client.attachments.upload(png, options));
  assert.equal(image.mime_type, "image/png");
  assert.deepEqual(told.at(-1), [png.size, png.size]);

  const { runId } = await ada.runs.say(threadId, "what is this?", { images: [image] });
  await collect(ada.runs.follow(threadId, runId));
  const { messages } = await ada.history.day({ threadId });
  assert.equal(messages[0].attachments[0].path, image.path);
  assert.match(messages[1].content, /3\D+2/);

  const { url } = await ada.attachments.signedUrl(image.bucket, image.path);
  const bytes = await (await fetch(url)).arrayBuffer();
  assert.deepEqual(Buffer.from(bytes), Buffer.from(await png.arrayBuffer()));
  await assert.rejects(ada.attachments.upload(new Blob(["no image"])), (error) => error.status === 415);
});

test("the history goes back to the beginning, in pages of any size", LIMIT, async () => {
  const { thread_id: threadId } = await ada.threads.create();
  for (const text of ["a", "b", "c", "d", "e"]) {
    await ada.thread(threadId).post(text);
  }
  const pages = await collect(ada.history.back({ threadId, tz: "Asia/Shanghai", limit: 2 }));
  assert.deepEqual(pages.map((page) => page.messages.map((each) => each.content).join("")), ["de", "bc", "a"]);
  assert.equal((await ada.history.day({ threadId, before: "2000-01-01" })).day, null);
});

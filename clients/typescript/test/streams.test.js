import assert from "node:assert/strict";
import { test } from "node:test";
import { Parley, ParleyError, StreamBroken } from "../dist/index.js";
import { json, QUICK, serving, stream } from "./serving.js";

const client = (url, more = {}) => Parley.connect({ url, retryStreams: QUICK, ...more });
const event = (id) => `id: ${id}\nevent: message_committed\ndata: {"event_id":"${id}"}\n\n`;
const runEvent = (id, type, more = {}) =>
  `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify({ type, metadata: { runId: "r" }, ...more })}\n\n`;

async function take(iterator, count) {
  const taken = [];
  for await (const each of iterator) {
    taken.push(each);
    if (taken.length === count) {
      break;
    }
  }
  return taken;
}

test("a stream that is cut goes on after the last event that was handed out", async (t) => {
  const answers = [
    [event("1"), event("1-5")],
    [event("2"), "id: 3\ndata: {\"event_id\""],
    [event("3"), event("4")],
  ];
  const { url, requests } = await serving(t, (_, response, number) => {
    stream(response, ...answers[number - 1]);
    response.end();
  });
  const states = [];
  const follow = client(url).thread("t").follow({ after: 0, onState: (state) => states.push(state.kind) });
  assert.deepEqual((await take(follow, 5)).map((each) => each.event_id), ["1", "1-5", "2", "3", "4"]);
  assert.deepEqual(requests.map((each) => each.headers["last-event-id"]), ["0", "1-5", "2"]);
  assert.deepEqual([follow.cursor, follow.violations], ["4", 0]);
  const around = ["connecting", "open", "waiting"];
  assert.deepEqual(states, [...around, ...around, "connecting", "open", "closed"]);
});

test("repeats are dropped, and after a gap the stream is asked for again", async (t) => {
  const answers = [
    [event("1"), event("1"), event("3")],
    [event("2"), event("3")],
  ];
  const { url, requests } = await serving(t, (_, response, number) => stream(response, ...answers[number - 1]));
  const follow = client(url).thread("t").follow({ after: 0 });
  assert.deepEqual((await take(follow, 3)).map((each) => each.event_id), ["1", "2", "3"]);
  assert.deepEqual([requests.length, follow.violations], [2, 2]);
});

test("a server that keeps breaking its promises is given up", async (t) => {
  const { url, requests } = await serving(t, (_, response) => stream(response, "id: nonsense\ndata: {}\n\n"));
  await assert.rejects(client(url).thread("t").follow({ after: 0 }).next(), StreamBroken);
  assert.equal(requests.length, 3);
});

test("a refusal for good ends the stream, one that passes does not", async (t) => {
  const { url, requests } = await serving(t, (_, response, number) => {
    const [status, retryable] = number === 1 ? [503, true] : [404, false];
    json(response, status, { type: "/problems/x", retryable });
  });
  const follow = client(url).thread("t").follow({ after: 0 });
  await assert.rejects(follow.next(), (error) => error instanceof ParleyError && error.status === 404);
  assert.equal((await follow.next()).done, true);
  assert.equal(requests.length, 2);
});

test("a silent connection is replaced, and heartbeats keep one", async (t) => {
  const { url, requests } = await serving(t, (_, response, number) => {
    stream(response, ...(number === 1 ? [] : [event("1")]));
    if (number > 1) {
      // A busy machine may hold up a heartbeat for much longer than its interval.
      const beat = setInterval(() => response.write(": keep-alive\n\n"), 40);
      const last = setTimeout(() => response.write(event("2")), 3_000);
      response.on("close", () => {
        clearInterval(beat);
        clearTimeout(last);
      });
    }
  });
  const events = await take(client(url, { heartbeat: 700 }).thread("t").follow({ after: 0 }), 2);
  assert.deepEqual([events.length, requests.length], [2, 2]);
});

test("a stream ends quietly when it is closed, and with the reason when its signal is aborted", async (t) => {
  const { url } = await serving(t, (_, response) => stream(response));
  const closing = client(url).thread("t").follow({ after: 0 });
  setTimeout(() => closing.close(), 50);
  assert.deepEqual(await closing.next(), { done: true, value: undefined });

  const giveUp = new AbortController();
  const reason = new Error("enough");
  const aborted = client(url).thread("t").follow({ after: 0, signal: giveUp.signal });
  setTimeout(() => giveUp.abort(reason), 50);
  await assert.rejects(aborted.next(), reason);
  await assert.rejects(client(url).inbox({ signal: AbortSignal.abort(reason) }).next(), reason);
});

test("leaving the loop lets the connection go", async (t) => {
  let gone;
  const left = new Promise((resolve) => (gone = resolve));
  const { url } = await serving(t, (_, response) => {
    response.on("close", gone);
    stream(response, event("1"));
  });
  await take(client(url).thread("t").follow({ after: 0 }), 1);
  await left;
});

test("typing is told beside the events", async (t) => {
  const { url } = await serving(t, (_, response) =>
    stream(response, 'event: typing\ndata: {"display_name":"美咲"}\n\n', event("1")),
  );
  const typing = [];
  await take(client(url).thread("t").follow({ after: 0, onTyping: (each) => typing.push(each.display_name) }), 1);
  assert.deepEqual(typing, ["美咲"]);
});

test("the stream of a run ends after its terminal event, of whatever connection", async (t) => {
  const answers = [
    [runEvent(4, "RUN_STARTED"), runEvent(9, "TEXT_MESSAGE_CONTENT", { delta: "a" })],
    [runEvent(10, "RUN_FINISHED"), runEvent(11, "RUN_STARTED")],
  ];
  const { url, requests } = await serving(t, (_, response, number) => {
    stream(response, ...answers[number - 1]);
    response.end();
  });
  const follow = client(url).runs.follow("t", "r");
  assert.deepEqual((await take(follow)).map((each) => [each.position, each.event.type, each.runId]), [
    [4, "RUN_STARTED", "r"],
    [9, "TEXT_MESSAGE_CONTENT", "r"],
    [10, "RUN_FINISHED", "r"],
  ]);
  assert.deepEqual(requests.map((each) => [each.url, each.headers["last-event-id"]]), [
    ["/api/v1/agent/runs/t/events?runId=r", undefined],
    ["/api/v1/agent/runs/t/events?runId=r", "9"],
  ]);
  assert.deepEqual([follow.ended, follow.position], [true, 10]);
});

test("the stream of a run that was seen to its end is over at once", async (t) => {
  const states = [];
  const { url, requests } = await serving(t, (_, response) => {
    response.writeHead(204);
    response.end();
  });
  const follow = client(url).runs.follow("t", "r", { after: 13, onState: (state) => states.push(state.kind) });
  assert.deepEqual(await take(follow), []);
  assert.deepEqual([follow.ended, follow.position, requests.length], [true, 13, 1]);
  assert.deepEqual(states, ["connecting", "ended"]);
});

test("where the server cannot go on, it says what to read again, and the stream goes on there", async (t) => {
  const resync = { name: "resync", value: { reason: "expired", reload: ["/a"] }, metadata: {} };
  const { url } = await serving(t, (_, response) =>
    stream(response, runEvent(3, "CUSTOM", resync), runEvent(3, "RUN_STARTED"), runEvent(5, "RUN_FINISHED")),
  );
  const follow = client(url).runs.followThread("t", { after: 7 });
  const events = await take(follow, 3);
  assert.deepEqual(events[0].resync, { reason: "expired", reload: ["/a"] });
  assert.deepEqual(events.map((each) => each.position), [3, 3, 5]);
  assert.equal(follow.violations, 0);
});

test("the inbox gives hints, and says when some may have been missed", async (t) => {
  const { url, requests } = await serving(t, (_, response, number) => {
    stream(response, `event: thread_changed\ndata: {"thread_id":"${number}"}\n\n`);
    response.end();
  });
  let opened = 0;
  const inbox = client(url).inbox({ onState: (state) => (opened += state.kind === "open" ? 1 : 0) });
  assert.deepEqual((await take(inbox, 2)).map((each) => each.thread_id), ["1", "2"]);
  assert.equal(opened, 2);
  assert.ok(requests.every((each) => each.headers["last-event-id"] === undefined));
});

test("what is no cursor is refused at once", () => {
  assert.throws(() => client("http://127.0.0.1:1").thread("t").follow({ after: "now" }), /no seq/);
});

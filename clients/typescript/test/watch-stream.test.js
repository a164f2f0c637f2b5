import assert from "node:assert/strict";
import { test } from "node:test";
import { Parley, StreamBroken } from "../dist/index.js";
import { json, QUICK, serving, stream } from "./serving.js";

const client = (url, more = {}) => Parley.connect({ url, retryStreams: QUICK, ...more });
const READY = "event: ready\ndata: {}\n\n";
const GONE = 'event: gone\ndata: {"threadId":"a"}\n\n';
const hint = (thread) => `event: inbox\ndata: {"thread_id":"${thread}"}\n\n`;
const said = (thread, position, more = {}) =>
  `id: ${thread}:${position}\nevent: CUSTOM\ndata: ${JSON.stringify({ type: "CUSTOM", name: "n", ...more })}\n\n`;
const resync = { name: "resync", value: { reason: "expired", reload: ["/a"] } };

/** A server that has so many events in every thread, and sends what is asked for behind a position, live or stored. */
async function talking(t, chunks = (text) => [text]) {
  const open = new Map();
  const ends = {};
  const write = (response, text) => chunks(text).forEach((chunk) => response.write(chunk));
  const { url, requests } = await serving(t, (request, response) => {
    const asked = new URL(request.url, "http://here").searchParams.get("watch") ?? "";
    const watched = new Map(asked.split(",").filter(Boolean).map((each) => each.split(":")));
    stream(response);
    write(response, READY);
    for (const [thread, after] of watched) {
      for (let position = Number(after ?? ends[thread] ?? 0) + 1; position <= (ends[thread] ?? 0); position++) {
        write(response, said(thread, position));
      }
    }
    open.set(response, watched);
    response.on("close", () => open.delete(response));
  });
  const say = (thread) => {
    ends[thread] = (ends[thread] ?? 0) + 1;
    open.forEach((watched, response) => watched.has(thread) && write(response, said(thread, ends[thread])));
  };
  const cut = () => open.forEach((_, response) => response.destroy());
  return { url, requests, say, cut, watches: () => requests.map((each) => decodeURIComponent(each.url).split("?")[1]) };
}

/** What comes until it is enough, without leaving the stream. */
async function until(items, isEnough) {
  const taken = [];
  for (;;) {
    const { done, value } = await items.next();
    if (done) {
      return taken;
    }
    taken.push(value);
    if (isEnough(value, taken)) {
      return taken;
    }
  }
}

const short = (item) => (item.kind === "event" ? `${item.threadId}${item.position}` : item.kind);

test("hints, events, typing and ends come by one connection, whatever the pieces", async (t) => {
  const typing = 'event: typing\ndata: {"display_name":"美咲"}\n\n';
  const all = Buffer.from(READY + hint("b") + said("a", 4, { metadata: { runId: "r" } }) + typing + GONE);
  const { url, requests } = await serving(t, (_, response) => {
    stream(response);
    for (let at = 0; at < all.length; at += 7) {
      response.write(all.subarray(at, at + 7));
    }
  });
  const items = client(url).stream();
  items.watch("a", 3);
  const taken = await until(items, (item) => item.kind === "gone");
  assert.deepEqual(taken.map(short), ["ready", "inbox", "a4", "typing", "gone"]);
  assert.equal(taken[1].hint.thread_id, "b");
  assert.deepEqual([taken[2].event.type, taken[2].runId], ["CUSTOM", "r"]);
  assert.equal(taken[3].typing.display_name, "美咲");
  assert.deepEqual([taken[4].threadId, items.position("a"), items.violations], ["a", undefined, 0]);
  assert.equal(requests[0].url, "/api/v1/agent/stream?watch=a%3A3");
  items.close();
});

test("a connection that is lost goes on in every thread where it was", async (t) => {
  const server = await talking(t);
  const states = [];
  const items = client(server.url).stream({ onState: (state) => states.push(state.kind) });
  items.watch("a", 0);
  items.watch("b", 0);
  await until(items, (item) => item.kind === "ready");
  ["a", "b", "a"].forEach(server.say);
  await until(items, (_, taken) => taken.length === 3);
  server.cut();
  server.say("b");
  const after = await until(items, (item) => item.kind === "event");
  assert.deepEqual(after.map(short), ["ready", "b2"]);
  assert.deepEqual(server.watches(), ["watch=a:0,b:0", "watch=a:2,b:1"]);
  assert.ok(states.includes("waiting"));
  items.close();
  assert.equal(states.at(-1), "closed");
});

test("the set changes while events flow and the line is cut: nothing is lost, nothing comes twice", async (t) => {
  const halves = (text) => [text.slice(0, text.length / 2), text.slice(text.length / 2)];
  const server = await talking(t, halves);
  const items = client(server.url).stream();
  items.watch("a", 0);
  const seen = { a: [], b: [], c: [] };
  let number = 0;
  for (let round = 0; seen.a.length < 120; round++) {
    Object.keys(seen).forEach(server.say);
    number++;
    if (round % 10 === 3) {
      ["b", "c"].forEach((each) => items.watch(each, seen[each].length));
    }
    if (round % 10 === 8) {
      items.unwatch("b");
    }
    if (round % 25 === 24) {
      server.cut();
    }
    const upTo = Math.min(number, 120);
    await until(items, (item) => {
      if (item.kind === "event") {
        seen[item.threadId].push(item.position);
      }
      return seen.a.length >= upTo;
    });
  }
  items.watch("b", seen.b.length);
  await until(items, (item) => {
    if (item.kind === "event") {
      seen[item.threadId].push(item.position);
    }
    return seen.b.length >= number && seen.c.length >= number;
  });
  const whole = Array.from({ length: number }, (_, index) => index + 1);
  assert.deepEqual(seen, { a: whole, b: whole, c: whole });
  assert.equal(items.violations, 0);
  items.close();
});

test("changes made together cost one connection, and none costs none", async (t) => {
  const server = await talking(t);
  const items = client(server.url).stream();
  await until(items, (item) => item.kind === "ready");
  ["a", "b", "c"].forEach((each) => items.watch(each, 0));
  items.unwatch("b");
  items.watch("a");
  items.unwatch("never");
  await until(items, (item) => item.kind === "ready");
  server.say("a");
  await until(items, (item) => item.kind === "event");
  items.watch("a", 1);
  server.say("a");
  await until(items, (item) => item.kind === "event");
  assert.deepEqual(server.watches(), [undefined, "watch=a:0,c:0"]);
  items.watch("a", 0);
  const again = await until(items, (item) => item.position === 2);
  assert.deepEqual(again.map(short), ["ready", "a1", "a2"]);
  items.close();
});

test("a set that changes while the connection is being opened is asked for at once", async (t) => {
  const { url, requests } = await serving(t, (request, response, number) => number > 1 && stream(response, READY));
  const items = client(url).stream();
  const first = items.next();
  while (requests.length === 0) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  items.watch("a");
  assert.deepEqual((await first).value, { kind: "ready" });
  assert.deepEqual(requests.map((each) => each.url), ["/api/v1/agent/stream", "/api/v1/agent/stream?watch=a"]);
  items.close();
});

test("where a thread cannot go on it says so, and goes on elsewhere; repeats are dropped", async (t) => {
  const { url } = await serving(t, (_, response) =>
    stream(response, READY, said("a", 3, resync), said("a", 3), said("a", 3), said("a", 5), said("b", 9)),
  );
  const items = client(url).stream();
  items.watch("a", 7);
  items.watch("b");
  const taken = await until(items, (item) => item.threadId === "b");
  assert.deepEqual(taken.map(short), ["ready", "a3", "a3", "a5", "b9"]);
  assert.deepEqual([taken[1].resync.reason, items.violations], ["expired", 1]);
  items.close();
});

test("silence, nonsense and refusals are met as in every stream", async (t) => {
  const { url, requests } = await serving(t, (_, response, number) => {
    if (number === 1) {
      stream(response);
    } else if (number < 4) {
      stream(response, READY, "id: nonsense\ndata: {}\n\n");
    } else {
      json(response, 401, { type: "/problems/unauthenticated", retryable: false });
    }
  });
  const items = client(url, { heartbeat: 300 }).stream();
  await assert.rejects(until(items, () => false), (error) => error.status === 401);
  assert.equal(requests.length, 4);
  assert.equal((await items.next()).done, true);

  const nonsense = await serving(t, (_, response) => stream(response, READY, "event: inbox\ndata: {\n\n"));
  await assert.rejects(until(client(nonsense.url).stream(), () => false), StreamBroken);
});

test("it ends quietly when it is closed, and with the reason when it is aborted, also amid a change", async (t) => {
  const server = await talking(t);
  const closing = client(server.url).stream();
  closing.watch("a");
  await closing.next();
  setTimeout(() => closing.close(), 20);
  assert.equal((await closing.next()).done, true);

  const giveUp = new AbortController();
  const reason = new Error("enough");
  const aborted = client(server.url).stream({ signal: giveUp.signal });
  await aborted.next();
  const last = aborted.next();
  aborted.watch("b");
  giveUp.abort(reason);
  await assert.rejects(last, reason);
  assert.throws(() => client(server.url).stream().watch("a,b"), TypeError);
});

test("a connection that is lost before the first event goes on where it began", async (t) => {
  const { url, requests } = await serving(t, (_, response, requestsSoFar = requests.length) => {
    stream(response);
    response.write('event: ready\ndata: {"positions":{"a":7}}\n\n');
    if (requestsSoFar === 1) {
      setImmediate(() => response.destroy());
    }
  });
  const items = client(url).stream();
  items.watch("a");
  await until(items, (item) => item.kind === "ready");
  assert.equal(items.position("a"), 7);
  await until(items, (item) => item.kind === "ready");
  assert.equal(requests[1].url, "/api/v1/agent/stream?watch=a%3A7");
  items.close();
});

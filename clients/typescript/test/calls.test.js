import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { Parley, ParleyError, ParleyUnreachable } from "../dist/index.js";
import { json, QUICK, serving } from "./serving.js";

const problem = (slug, more = {}) => ({ type: `/problems/${slug}`, title: "A title", detail: "A detail", ...more });
const client = (url, more = {}) => Parley.connect({ url, token: "secret", retryCalls: QUICK, ...more });

test("a message whose answer is lost is sent again with the same key, and one is made per message", async (t) => {
  const { url, requests } = await serving(t, (request, response, number) =>
    number < 3 ? request.socket.destroy() : json(response, 201, { id: "m" }),
  );
  await client(url).thread("t").post("你好");
  await client(url).thread("t").post("你好");
  const keys = requests.map((each) => JSON.parse(each.text).client_message_id);
  assert.equal(keys.length, 4);
  assert.equal(new Set(keys.slice(0, 3)).size, 1);
  assert.notEqual(keys[3], keys[0]);
  assert.equal(requests[0].headers.authorization, "Bearer secret");
});

test("a key of the caller's own is kept", async (t) => {
  const { url, requests } = await serving(t, (_, response) => json(response, 201, {}));
  await client(url).thread("t").post({ content: "a", client_message_id: "mine" });
  assert.equal(JSON.parse(requests[0].text).client_message_id, "mine");
});

test("a thread is made under one key, however often it is asked for", async (t) => {
  const { url, requests } = await serving(t, (_, response, number) =>
    number < 3 ? json(response, 503, problem("overloaded", { retryable: true })) : json(response, 201, {}),
  );
  await client(url).threads.create({ title: "a" });
  assert.equal(new Set(requests.map((each) => each.headers["idempotency-key"])).size, 1);
  assert.equal(requests.length, 3);
});

test("what would happen twice is sent once", async (t) => {
  const { url, requests } = await serving(t, (request) => request.socket.destroy());
  const parley = client(url);
  await assert.rejects(parley.thread("t").typing(), ParleyUnreachable);
  await assert.rejects(parley.owner.createToken({ agent_actor_id: "a" }), (error) => error.outcomeUnknown);
  assert.equal(requests.length, 2);
});

test("a refusal is told as it is, and not asked for again", async (t) => {
  const body = problem("invalid-fields", {
    code: "BAD_REQUEST",
    instance: "request-1",
    errors: [{ field: "content", message: "is missing" }],
    retryable: false,
    extra: 7,
  });
  const { url, requests } = await serving(t, (_, response) => json(response, 400, body));
  await assert.rejects(client(url).thread("t").post(""), (error) => {
    assert.ok(error instanceof ParleyError);
    const { status, slug, title, detail, errors, retryable, retryAfter, code, requestId, members } = error;
    assert.deepEqual([status, slug, title, detail], [400, "invalid-fields", "A title", "A detail"]);
    assert.deepEqual(errors, body.errors);
    assert.deepEqual([retryable, retryAfter, code, requestId], [false, undefined, "BAD_REQUEST", "request-1"]);
    assert.deepEqual(members, { extra: 7 });
    return true;
  });
  assert.equal(requests.length, 1);
});

test("what an agent missed is told", async (t) => {
  const body = problem("stale-context", { current_seq: 12, stale_lag: 1, missed_messages: [{ id: "m" }] });
  const { url } = await serving(t, (_, response) => json(response, 409, body));
  await assert.rejects(client(url).thread("t").postAsAgent({ content: "a", base_seq: 11 }), (error) => {
    assert.deepEqual(error.staleContext, { currentSeq: 12, staleLag: 1, missed: [{ id: "m" }] });
    return true;
  });
});

test("the page of a gateway is a problem too", async (t) => {
  const { url } = await serving(t, (_, response) => {
    response.writeHead(502, { "Retry-After": "7" });
    response.end("<html>");
  });
  const single = { ...QUICK, attempts: 1 };
  await assert.rejects(client(url, { retryCalls: single }).whoAmI(), (error) => {
    assert.deepEqual([error.status, error.slug, error.retryable, error.retryAfter], [502, "", true, 7]);
    return true;
  });
});

test("what was removed by an attempt whose answer was lost is removed", async (t) => {
  const { url } = await serving(t, (request, response, number) =>
    number === 1 ? request.socket.destroy() : json(response, 404, problem("thread-not-found", { retryable: false })),
  );
  await client(url).thread("t").delete();
  await assert.rejects(client(url).thread("t").delete(), (error) => error.status === 404);
});

test("an answer that breaks off is none", async (t) => {
  const { url, requests } = await serving(t, (_, response, number) => {
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(number === 1 ? '{"sender_id": "us' : '{"sender_id": "user:1"}');
  });
  assert.equal((await client(url).whoAmI()).sender_id, "user:1");
  assert.equal(requests.length, 2);
});

test("an answer that takes too long is not waited for", async (t) => {
  const { url, requests } = await serving(t, (_, response, number) => number > 1 && json(response, 200, {}));
  await client(url, { answerLimit: 200 }).whoAmI();
  assert.equal(requests.length, 2);
});

test("a token is asked for before each request, and its failure is the caller's own", async (t) => {
  const { url, requests } = await serving(t, (_, response) => json(response, 200, {}));
  let asked = 0;
  const parley = Parley.connect({ url, tokenProvider: async () => `token-${++asked}` });
  await parley.whoAmI();
  await parley.whoAmI();
  assert.deepEqual(requests.map((each) => each.headers.authorization), ["Bearer token-1", "Bearer token-2"]);
  const failing = Parley.connect({ url, tokenProvider: () => Promise.reject(new RangeError("signed out")) });
  await assert.rejects(failing.whoAmI(), RangeError);
  await assert.rejects(failing.inbox().next(), RangeError);
});

test("a call that is given up ends with the signal's reason, in its answer and between attempts", async (t) => {
  const { url } = await serving(t, (request, response, number) => {
    if (number > 1) {
      json(response, 503, {}, { "Retry-After": "30" });
    }
  });
  const reason = new Error("enough");
  const patient = { ...QUICK, limit: 100_000 };
  for (const parley of [client(url), client(url, { retryCalls: patient })]) {
    const giveUp = new AbortController();
    const call = parley.whoAmI({ signal: giveUp.signal });
    setTimeout(() => giveUp.abort(reason), 50);
    await assert.rejects(call, reason);
  }
  await assert.rejects(client(url).whoAmI({ signal: AbortSignal.abort(reason) }), reason);
});

test("a redirect is not followed with the token", async (t) => {
  const { url, requests } = await serving(t, (_, response) => {
    response.writeHead(307, { Location: "/elsewhere" });
    response.end();
  });
  await assert.rejects(client(url, { retryCalls: { ...QUICK, attempts: 1 } }).whoAmI(), ParleyUnreachable);
  assert.deepEqual(requests.map((each) => each.url), ["/api/v1/auth/me"]);
});

test("an id that would lead elsewhere is refused at once", () => {
  const parley = client("http://127.0.0.1:1");
  for (const id of ["", ".", ".."]) {
    assert.throws(() => parley.thread(id), TypeError);
  }
});

test("nothing has happened where nobody listens", async () => {
  const gone = createServer().listen(0, "127.0.0.1");
  await once(gone, "listening");
  const url = `http://127.0.0.1:${gone.address().port}`;
  await new Promise((closed) => gone.close(closed));
  const parley = client(url, { retryCalls: { ...QUICK, attempts: 2 } });
  await assert.rejects(parley.whoAmI(), (error) => error instanceof ParleyUnreachable && !error.outcomeUnknown);
});

test("names go into addresses as they are, and a server may live under a path", async (t) => {
  const { url, requests } = await serving(t, (_, response) => json(response, 200, {}));
  const parley = client(`${url}/parley/`);
  await parley.thread("a b").message("a/b?").react("👍🏽");
  await parley.threads.list({ q: "ä & 中", archived: true });
  await parley.history.day({ threadId: "t", tz: "Asia/Shanghai" });
  await parley.thread("t").messages.list({ after: 3, runId: "run & 一", stage: "tool_execution" });
  assert.deepEqual(requests.map((each) => each.url), [
    "/parley/api/v1/chat/threads/a%20b/messages/a%2Fb%3F/reactions/%F0%9F%91%8D%F0%9F%8F%BD",
    "/parley/api/v1/chat/threads?archived=true&q=%C3%A4%20%26%20%E4%B8%AD",
    "/parley/api/v1/agent/history?threadId=t&tz=Asia%2FShanghai",
    "/parley/api/v1/chat/threads/t/messages?after_seq=3&run_id=run%20%26%20%E4%B8%80&stage=tool_execution",
  ]);
});

test("an address that is none is refused at once", () => {
  assert.throws(() => Parley.connect({ url: "ftp://example.org" }), /http/);
  assert.throws(() => Parley.connect({ url: "/relative" }), /cannot be read/);
  assert.throws(() => Parley.connect({ url: "http://a", token: "t", tokenProvider: () => "t" }), /not both/);
});

test("an upload tells its progress, once and only forwards, and is stored under one key", async (t) => {
  const { url, requests } = await serving(t, (request, response, number) =>
    number === 1 ? request.socket.destroy() : json(response, 201, { path: "p" }),
  );
  const told = [];
  const file = new Blob([new Uint8Array(300_000)], { type: "image/png" });
  const onProgress = (sent, total) => told.push([sent, total]);
  const options = { filename: "图 \"1\".png", threadId: "t", onProgress };
  assert.equal((await client(url).attachments.upload(file, options)).path, "p");
  assert.deepEqual(told, [...told].sort(([one], [other]) => one - other));
  assert.equal(new Set(told.map(([sent]) => sent)).size, told.length);
  assert.deepEqual(told.at(-1), [300_000, 300_000]);
  assert.equal(new Set(requests.map((each) => each.headers["idempotency-key"])).size, 1);
  assert.match(requests[1].text, /name="threadId"\r\n\r\nt\r\n/);
  assert.match(requests[1].text, /filename="图 %221%22.png"/);
});

test("the agents that may be asked are listed once, and the server's default is among them", async (t) => {
  const helper = { agentId: "2", kind: "model", name: "助手", description: "…" };
  const agents = { default: helper, 1: { agentId: "1", kind: "demo", name: "Demo" }, 2: helper };
  const { url } = await serving(t, (_, response) => json(response, 200, { agents }));
  assert.deepEqual(await client(url).usableAgents(), [
    { agentId: "1", name: "Demo", kind: "demo", isDefault: false },
    { agentId: "2", name: "助手", kind: "model", isDefault: true },
  ]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { Parley, parseFigures, ParleyUnreachable } from "../dist/index.js";
import { json, QUICK, serving } from "./serving.js";

const client = (url) => Parley.connect({ url, token: "secret", retryCalls: QUICK });
const calls = (requests) => requests.map((each) => `${each.method} ${each.url}`);

test("figures are read as Prometheus writes them", () => {
  const figures = parseFigures(
    [
      "# HELP parley_sse_open How many streams are open",
      "# TYPE parley_sse_open gauge",
      "parley_sse_open 3.0",
      'requests_seconds_count{method="GET",route="/a/{b}",status="2xx"} 12 1731665000',
      'requests_seconds_count{method="POST",route="say \\"中\\", \\\\ or\\n",status="5xx",} 1.5e3',
      'le{le="+Inf"} +Inf',
      "unknown NaN",
      "broken line that is none",
      "",
    ].join("\n"),
  );
  assert.deepEqual([...figures.keys()], ["parley_sse_open", "requests_seconds_count", "le", "unknown"]);
  assert.deepEqual(figures.get("parley_sse_open"), [{ labels: {}, value: 3 }]);
  assert.deepEqual(figures.get("requests_seconds_count"), [
    { labels: { method: "GET", route: "/a/{b}", status: "2xx" }, value: 12 },
    { labels: { method: "POST", route: 'say "中", \\ or\n', status: "5xx" }, value: 1500 },
  ]);
  assert.deepEqual([figures.get("le")[0].value, figures.get("unknown")[0].value], [Infinity, NaN]);
});

test("figures are no JSON, and are asked for again when the answer is lost", async (t) => {
  const { url, requests } = await serving(t, (request, response, number) =>
    number === 1 ? request.socket.destroy() : response.end("parley_log_entries_total 7.0\n"),
  );
  const figures = await client(url).operator.figures();
  assert.equal(figures.get("parley_log_entries_total")[0].value, 7);
  assert.deepEqual([requests.length, requests[1].headers.accept], [2, "text/plain"]);
});

test("what is shown once, or would be there twice, is sent once", async (t) => {
  const { url, requests } = await serving(t, (request) => request.socket.destroy());
  const { operator, identityLinks, thread } = { ...client(url), thread: client(url).thread("t") };
  const once = [
    () => operator.createIntegrationKey("relay"),
    () => operator.replay("d"),
    () => identityLinks.begin({ source: "slack" }),
    () => thread.webhooks.create("https://hooks.example.org/"),
    () => thread.webhooks.redeliver("w", 4),
  ];
  for (const call of once) {
    await assert.rejects(call(), (error) => error instanceof ParleyUnreachable && error.outcomeUnknown);
  }
  assert.deepEqual(calls(requests), [
    "POST /api/v1/operator/integration-keys",
    "POST /api/v1/operator/dead-letters/d/replay",
    "POST /api/v1/auth/identity-links",
    "POST /api/v1/chat/threads/t/webhooks",
    "POST /api/v1/chat/threads/t/webhooks/w/redeliver",
  ]);
  const bodies = requests.map((each) => each.text && JSON.parse(each.text));
  assert.deepEqual(bodies, [
    { source: "relay" },
    "",
    { source: "slack" },
    { callback_url: "https://hooks.example.org/" },
    { after_seq: 4 },
  ]);
});

test("lists are given as they are, or page by page", async (t) => {
  const lists = { keys: [1], links: [2], webhooks: [3], traces: [4], deliveries: [5], acts: [6], nodes: [7], has_more: true };
  const { url, requests } = await serving(t, (_, response) => json(response, 200, lists));
  const parley = client(url);
  assert.deepEqual(await parley.operator.integrationKeys(), [1]);
  assert.deepEqual(await parley.identityLinks.list(), [2]);
  assert.deepEqual(await parley.thread("t").webhooks.list(), [3]);
  const wanted = { source: "slack", external_message_id: "1.2", channel_external_id: "C/1" };
  assert.deepEqual(await parley.integrations.trace(wanted), [4]);
  assert.equal((await parley.operator.deadLetters({ before: "d", limit: 5 })).has_more, true);
  assert.equal((await parley.operator.audit({ before: 7 })).has_more, true);
  assert.deepEqual((await parley.thread("t").deliveries.list({ after: 3 })).deliveries, [5]);
  assert.deepEqual(await parley.operator.nodes(), [7]);
  assert.deepEqual(calls(requests), [
    "GET /api/v1/operator/integration-keys",
    "GET /api/v1/auth/identity-links",
    "GET /api/v1/chat/threads/t/webhooks",
    "GET /api/v1/integrations/messages?source=slack&external_message_id=1.2&channel_external_id=C%2F1",
    "GET /api/v1/operator/dead-letters?before=d&limit=5",
    "GET /api/v1/operator/audit?before=7",
    "GET /api/v1/chat/threads/t/deliveries?after_seq=3",
    "GET /api/v1/operator/nodes",
  ]);
});

test("how to sign in is asked without a token, which may not be there yet", async (t) => {
  const said = { local: false, oidc: { issuer: "https://id.example.org", client_id: "console", scope: "openid" } };
  const { url, requests } = await serving(t, (_, response) => json(response, 200, said));
  const parley = Parley.connect({ url, tokenProvider: () => Promise.reject(new Error("nobody is signed in")) });
  assert.deepEqual(await parley.signIn(), said);
  assert.deepEqual([requests[0].url, requests[0].headers.authorization], ["/api/v1/auth/sign-in", undefined]);
});

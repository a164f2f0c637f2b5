import assert from "node:assert/strict";
import { test } from "node:test";
import { computeStaleLag, freshId, isStale, shouldRespond } from "../dist/index.js";

test("whoever has read less than there is, is stale by the difference", () => {
  assert.deepEqual([isStale(11, 12), isStale(12, 12), isStale(13, 12)], [true, false, false]);
  assert.deepEqual([computeStaleLag(11, 14), computeStaleLag(12, 12), computeStaleLag(13, 12)], [3, 0, 0]);
});

const me = "agent:me";
for (const [mode, sender, mentioned, answer] of [
  ["open", "user:a", false, true],
  ["open", "slack:U1", false, true],
  ["open", "agent:other", false, false],
  ["open", "agent:other", true, true],
  ["open", "system:parley", false, false],
  ["open", me, true, false],
  ["invocation_only", "user:a", false, false],
  ["invocation_only", "user:a", true, true],
  ["invocation_only", "agent:other", true, true],
]) {
  const [called, does] = [mentioned ? "mentioned" : "passed over", answer ? "answers" : "is silent"];
  test(`${mode}: an agent ${called} by ${sender} ${does}`, () => {
    assert.equal(shouldRespond({ mode, me, sender, mentions: mentioned ? [me] : [] }), answer);
  });
}

test("fresh ids are of version 7, and later ones sort behind", () => {
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  const ids = [0, 1, 4294967295, 4294967296, 1794830000000].map((time) => freshId(time));
  ids.forEach((id) => assert.match(id, form));
  assert.deepEqual([...ids].sort(), ids);
  assert.equal(new Set(Array.from({ length: 1000 }, () => freshId())).size, 1000);
});

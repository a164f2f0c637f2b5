import assert from "node:assert/strict";
import { test } from "node:test";
import { pauseAfter, RETRY_CALLS, RETRY_NEVER, RETRY_STREAMS } from "../dist/index.js";

test("pauses double up to the longest one", () => {
  const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 100].map((attempt) => pauseAfter(RETRY_STREAMS, attempt, 0, 0, 1));
  assert.deepEqual(pauses, [250, 500, 1000, 2000, 4000, 8000, 15000, 15000, 15000]);
});

test("chance takes away at most half", () => {
  assert.equal(pauseAfter(RETRY_CALLS, 1, 0, 0, 0), 50);
  for (let time = 0; time < 200; time++) {
    const pause = pauseAfter(RETRY_CALLS, 4, 0, 0);
    assert.ok(pause >= 400 && pause <= 800, String(pause));
  }
});

test("what the server asks for is waited for, and chance comes on top", () => {
  assert.equal(pauseAfter(RETRY_CALLS, 1, 0, 5000, 1), 5100);
  assert.equal(pauseAfter(RETRY_CALLS, 6, 0, 1000, 1), 3200);
});

test("tries and time come to an end", () => {
  assert.equal(pauseAfter(RETRY_NEVER, 1, 0, 0), undefined);
  assert.equal(pauseAfter(RETRY_CALLS, 8, 0, 0), undefined);
  assert.equal(pauseAfter(RETRY_CALLS, 1, 59_990, 0, 1), undefined);
  assert.equal(pauseAfter(RETRY_CALLS, 1, 0, 3_600_000), undefined);
  assert.ok(pauseAfter(RETRY_STREAMS, 1_000_000, 1e12, 0) > 0);
});

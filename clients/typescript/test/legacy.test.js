import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { stripLegacyIngestPrefix } from "../dist/legacy.js";

// The cases are shared with the clients in other languages, so they lie outside this folder.
const shared = process.env.PARLEY_LEGACY_PREFIXES ?? new URL("../../conformance/legacy-prefix.json", import.meta.url);
const cases = JSON.parse(readFileSync(shared, "utf8"));

for (const { source, content, expected } of cases) {
  test(`${source}: ${JSON.stringify(content)}`, () => {
    assert.equal(stripLegacyIngestPrefix(content, source), expected);
  });
}

test("content and source that are undefined give an empty text", () => {
  assert.equal(stripLegacyIngestPrefix(undefined, undefined), "");
});

test("a long hostile text is read in one pass", { timeout: 10_000 }, () => {
  const text = `[Slack channel:C1 user:${"[".repeat(1_000_000)}`;
  assert.equal(stripLegacyIngestPrefix(text, "slack"), text);
});

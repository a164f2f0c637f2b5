import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { stripLegacyIngestPrefix } from "../dist/legacy.js";

const cases = JSON.parse(readFileSync(new URL("./legacy-cases.json", import.meta.url), "utf8"));

for (const [source, content, shown] of cases) {
  test(`${source}: ${JSON.stringify(content)}`, () => {
    assert.equal(stripLegacyIngestPrefix(content, source), shown);
  });
}

test("a message without a source is as it is", () => {
  assert.equal(stripLegacyIngestPrefix("[Olivia]: hello", null), "[Olivia]: hello");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { extractMentionedIds, tokenizeMentions } from "../dist/index.js";

const people = [
  ["user:1", "Alice"],
  ["agent:2", "Alice's Agent"],
  ["user:3", "Bob"],
  ["user:4", "bob"],
  ["user:5", "美咲"],
  ["user:6", "نور"],
  ["user:7", "👩‍🔬 Dr. Ω"],
  ["user:8", "  "],
  ["user:9", "Zoe\u0301"],
].map(([sender_id, display_name]) => ({ sender_id, display_name }));

const CASES = [
  ["hello", []],
  ["@Alice hello", ["user:1"]],
  ["@alice, @ALICE", ["user:1"]],
  ["ask @Alice's Agent", ["agent:2"]],
  ["@Alice's cat", ["user:1"]],
  ["@Alicen", []],
  ["@Alice2", []],
  ["mail@alice", []],
  ["(@Alice)", ["user:1"]],
  ["@Bob!", ["user:3", "user:4"]],
  ["你好@美咲你好", ["user:5"]],
  ["مرحبا @نور!", ["user:6"]],
  ["@👩‍🔬 Dr. Ω", ["user:7"]],
  ["@Zoe\u0301 and @@Alice", ["user:9", "user:1"]],
  ["@", []],
  ["@ Alice", []],
  ["", []],
];

for (const [text, ids] of CASES) {
  test(`who is mentioned: ${JSON.stringify(text)}`, () => {
    assert.deepEqual(extractMentionedIds(text, people), ids);
    const segments = tokenizeMentions(text, people);
    assert.equal(segments.map((each) => each.value).join(""), text);
    assert.ok(segments.every((each) => each.value !== ""));
  });
}

test("a text is cut into what is said and who is mentioned", () => {
  assert.deepEqual(tokenizeMentions("Hi @Alice and @BOB.", people), [
    { type: "text", value: "Hi " },
    { type: "mention", value: "@Alice", sender_id: "user:1", sender_ids: ["user:1"] },
    { type: "text", value: " and " },
    { type: "mention", value: "@BOB", sender_id: "user:3", sender_ids: ["user:3", "user:4"] },
    { type: "text", value: "." },
  ]);
});

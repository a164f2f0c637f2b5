import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { errorsIn } from "./compiling.js";

test("the examples of the page compile as somebody else's program, strictly", () => {
  const page = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const examples = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code);
  assert.ok(examples.length >= 2);
  const given = "declare const token: string;\ndeclare function write(text: string): void;\n";
  assert.deepEqual(errorsIn(given + examples.join("\n")), []);
});

import { expect, test } from "vitest";
import { wayOf } from "../src/composer/outbox";

const text = { key: "k", threadId: "t", text: "hello", images: [], mentions: [], createdAt: "2026-01-01T00:00:00Z" };
const image = { bucket: "b", path: "p", mimeType: "image/png", filename: "f" };

test("plain text is a message, and the server finds out who answers", () => {
  expect(wayOf(text, false)).toBe("message");
});

test.each([
  ["what makes the thread", text, true],
  ["images", { ...text, images: [image] }, false],
  ["a chosen agent", { ...text, agentId: "a" }, false],
  ["the answer to a question", { ...text, resume: [{ interruptId: "i", status: "resolved" as const }] }, false],
  ["a wish for another answer", { ...text, regenerateFrom: "m" }, false],
])("%s goes with a run", (_, pending, isFresh) => {
  expect(wayOf(pending, isFresh)).toBe("run");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { SseReader } from "../dist/index.js";

const bytes = (text) => new TextEncoder().encode(text);
const frame = (data, lastEventId = "", event = "message", hasId = lastEventId !== "") => ({
  event,
  data,
  lastEventId,
  hasId,
});

const WHOLE = "id: 12-457\nevent: message_committed\ndata: {\"content\":\"中文 العربية 👩‍🔬 e\u0301\"}\n\n";
const READ = frame('{"content":"中文 العربية 👩‍🔬 e\u0301"}', "12-457", "message_committed");

test("a frame comes out whole wherever it was split", () => {
  const all = bytes(WHOLE);
  for (let cut = 0; cut <= all.length; cut++) {
    const reader = new SseReader();
    const frames = [...reader.feed(all.slice(0, cut)), ...reader.feed(all.slice(cut))];
    assert.deepEqual(frames, [READ], `cut at ${cut}`);
  }
});

test("a frame comes out whole byte by byte, with every kind of line end", () => {
  for (const end of ["\n", "\r\n", "\r"]) {
    const reader = new SseReader();
    const frames = Array.from(bytes(WHOLE.replaceAll("\n", end))).flatMap((byte) => reader.feed(Uint8Array.of(byte)));
    assert.deepEqual(frames, [READ], JSON.stringify(end));
  }
});

test("a byte order mark is no part of the first line", () => {
  assert.deepEqual(new SseReader().feed(bytes("\uFEFFdata: a\n\n")), [frame("a")]);
});

test("comments are passed over", () => {
  assert.deepEqual(new SseReader().feed(bytes(": keep-alive\n\n:\ndata: a\n: between\ndata: b\n\n")), [frame("a\nb")]);
});

test("data of several lines is one text, and empty lines of it stay", () => {
  assert.deepEqual(new SseReader().feed(bytes("data: a\ndata\ndata:\ndata:  b\n\n")), [frame("a\n\n\n b")]);
});

test("an id holds on, but only a frame that brought one has one", () => {
  const frames = new SseReader().feed(bytes("id: 7\ndata: a\n\ndata: b\n\nid\ndata: c\n\n"));
  assert.deepEqual(frames, [frame("a", "7"), frame("b", "7", "message", false), frame("c")]);
});

test("an id with a null character is ignored", () => {
  assert.deepEqual(new SseReader().feed(bytes("id: 7\0\ndata: a\n\n")), [frame("a")]);
});

test("the pause that the server asks for is read, and nonsense is not", () => {
  const reader = new SseReader();
  assert.equal(reader.retry, undefined);
  reader.feed(bytes("retry: 1500\n\n"));
  assert.equal(reader.retry, 1500);
  reader.feed(bytes("retry: soon\nretry: -1\nretry:\n\n"));
  assert.equal(reader.retry, 1500);
});

test("frames without data, and frames that are cut off, do not come out", () => {
  const reader = new SseReader();
  assert.deepEqual(reader.feed(bytes("event: a\nid: 1\n\ndata: half")), []);
});

test("unknown fields are ignored", () => {
  assert.deepEqual(new SseReader().feed(bytes("datum: a\n data: b\ndata: c\n\n")), [frame("c")]);
});

test("a frame that is too long fails, in one line or in many; comments may go on for ever", () => {
  assert.throws(() => new SseReader(100).feed(bytes(`data: ${"a".repeat(200)}`)), /longer than 100/);
  assert.throws(() => new SseReader(100).feed(bytes("data: a\n".repeat(20))), /longer than 100/);
  const reader = new SseReader(100);
  for (let beat = 0; beat < 100; beat++) {
    reader.feed(bytes(": keep-alive\n\n"));
  }
  assert.deepEqual(reader.feed(bytes("data: a\n\n")), [frame("a")]);
});

import { expect, test } from "vitest";
import type { Look } from "../src/conversation/model/new-line";
import { rowAt } from "../src/conversation/model/rows";
import { ThreadModel } from "../src/conversation/model/thread-model";
import { Log, opened, run, until } from "./conversation-messages";

const OTHER = { sender_id: "user:2" };
const WATCHING: Look = { isVisible: true, isAtEnd: true, tailKeys: [] };
const AWAY: Look = { ...WATCHING, isVisible: false };
const SCROLLED_UP: Look = { ...WATCHING, isAtEnd: false };

/** A thread with three messages, all of which its reader has read. */
async function read(): Promise<[Log, ThreadModel]> {
  const log = new Log(3);
  log.readTo = 3;
  const model = await opened(log);
  model.newLine.look(WATCHING);
  return [log, model];
}

async function arrive(log: Log, model: ThreadModel, more: object): Promise<void> {
  const { thread_seq: seq } = log.add(more);
  model.hear({ type: "CUSTOM", name: "message_committed", value: { seq } });
  await until(() => model.pages.lastSeq === seq);
}

/** The positions of the messages that have the line above them. */
function lines(model: ThreadModel): number[] {
  const seqs = Array.from({ length: model.pages.lastSeq }, (_, index) => index + 1);
  return seqs.filter((seq) => rowAt(model, seq, new Map())?.isFirstUnread);
}

test("the line is above the first unread message of others when the thread is opened", async () => {
  const log = new Log(3);
  log.readTo = 3;
  log.unread = 2;
  log.add();
  log.add(OTHER);
  log.add(OTHER);
  expect(lines(await opened(log))).toEqual([5]);
});

test("a thread that was never read has no line", async () => {
  const log = new Log(3);
  log.unread = 3;
  expect(lines(await opened(log))).toEqual([]);
});

test("own messages and watched answers have no line", async () => {
  const [log, model] = await read();
  await arrive(log, model, {});
  await arrive(log, model, OTHER);
  await arrive(log, model, { ...OTHER, role: "assistant" });
  expect(lines(model)).toEqual([]);
});

test("what arrives while the page is hidden has the line, once", async () => {
  const [log, model] = await read();
  model.newLine.look(AWAY);
  await arrive(log, model, OTHER);
  await arrive(log, model, OTHER);
  expect(lines(model)).toEqual([4]);
  model.newLine.look(WATCHING);
  await arrive(log, model, OTHER);
  expect(lines(model)).toEqual([4]);
});

test("the next absence moves the line", async () => {
  const [log, model] = await read();
  model.newLine.look(AWAY);
  await arrive(log, model, OTHER);
  model.newLine.look(WATCHING);
  model.newLine.look(AWAY);
  await arrive(log, model, OTHER);
  expect(lines(model)).toEqual([5]);
});

test("the reader's own message takes the line away", async () => {
  const [log, model] = await read();
  model.newLine.look(AWAY);
  await arrive(log, model, OTHER);
  await arrive(log, model, {});
  expect(lines(model)).toEqual([]);
});

test("what arrives below a reader who has scrolled up has the line, and hiding the page there keeps it", async () => {
  const [log, model] = await read();
  model.newLine.look(SCROLLED_UP);
  await arrive(log, model, OTHER);
  model.newLine.look({ ...SCROLLED_UP, isVisible: false });
  await arrive(log, model, OTHER);
  expect(lines(model)).toEqual([4]);
});

test.each([
  ["has no line if its reader scrolled up before it was complete", SCROLLED_UP, []],
  ["has the line if its reader went away before it was complete", AWAY, [4]],
])("an answer that was seen growing %s", async (_, look, expected) => {
  const [log, model] = await read();
  model.hear(run("TEXT_MESSAGE_CONTENT", { messageId: "a", delta: "Hel" }));
  await until(() => model.live.messages().length === 1);
  model.newLine.look({ ...WATCHING, tailKeys: model.live.messages().map(({ key }) => key) });
  model.newLine.look(look);
  await arrive(log, model, { id: "a", sender_id: "agent:1", role: "assistant", metadata: { run_id: "r", message_id: "a" } });
  expect(lines(model)).toEqual(expected);
});

test("a conversation that begins here has no line above its first answer", async () => {
  const log = new Log();
  const model = new ThreadModel(log, "user:1", true);
  model.newLine.look(WATCHING);
  log.add();
  log.add(OTHER);
  await model.join();
  expect(lines(model)).toEqual([]);
});

test("the line is above all that arrives at once while its reader is away, though it is not read yet", async () => {
  const [log, model] = await read();
  model.newLine.look(AWAY);
  for (let i = 0; i < 1_000; i++) {
    log.add(OTHER);
  }
  model.hear({ type: "CUSTOM", name: "message_committed", value: { seq: 1_003 } });
  await until(() => model.pages.lastSeq === 1_003);
  model.newLine.look(WATCHING);
  await arrive(log, model, OTHER);
  model.want(1, 20);
  await until(() => Boolean(model.pages.row(4)));
  expect(lines(model)).toEqual([4]);
});

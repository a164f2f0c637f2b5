import { expect, test } from "vitest";
import { Refresh, type Wants } from "../src/conversation/model/refresh";
import { until } from "./conversation-messages";

const END = (wants: Wants): void => void (wants.end = true);

test("what was wanted before it was closed is read once it is open again", async () => {
  const reads: Wants[] = [];
  const refresh = new Refresh(async (wants) => void reads.push(wants));
  refresh.want(END);
  refresh.close();
  refresh.open();
  await until(() => reads.length === 1);
  refresh.want((wants) => void (wants.thread = true));
  await until(() => reads.length === 2);
  expect(reads.map(({ end, thread }) => [end, thread])).toEqual([
    [true, false],
    [false, true],
  ]);
});

test("what is wanted while it is closed waits", async () => {
  const reads: Wants[] = [];
  const refresh = new Refresh(async (wants) => void reads.push(wants));
  refresh.close();
  refresh.want(END);
  expect(reads).toEqual([]);
  refresh.open();
  await until(() => reads.length === 1);
});

import { expect, test } from "vitest";
import { candidatesFor, mentioningAt, withMention } from "../src/composer/mentioning";

const people = ["Ada", "Adam Müller", "Bob", "李雷", " "].map((display_name, index) => ({
  sender_id: `user:${index}`,
  participant_kind: "user" as const,
  display_name,
  capabilities: [],
  participation_mode: null,
  last_read_seq: 0,
}));
const OUTSIDER = "user:9";

test.each([
  ["@", 1, { start: 0, query: "" }],
  ["hello @Ad", 9, { start: 6, query: "Ad" }],
  ["hello @Adam M", 13, { start: 6, query: "Adam M" }],
  ["你好 @李", 5, { start: 3, query: "李" }],
])("%s is a mention being written", (text, caret, expected) => {
  expect(mentioningAt(text, caret)).toEqual(expected);
});

test.each([
  ["mail@example", 12],
  ["@Ada\n", 5],
  ["nothing", 7],
])("%s is none", (text, caret) => {
  expect(mentioningAt(text, caret)).toBeUndefined();
});

test("names that begin so come first, names that contain it after them", () => {
  expect(candidatesFor("a", people, OUTSIDER).map((each) => each.display_name)).toEqual(["Ada", "Adam Müller"]);
  expect(candidatesFor("müll", people, OUTSIDER).map((each) => each.display_name)).toEqual(["Adam Müller"]);
  expect(candidatesFor("", people, OUTSIDER)).toHaveLength(4);
});

test("the name is put where it was begun", () => {
  expect(withMention("hi @Ad, well", 6, { start: 3, query: "Ad" }, "Ada")).toEqual(["hi @Ada , well", 8]);
});

test("behind a whole name nobody is offered, so that Enter sends", () => {
  expect(candidatesFor("Ada ", people, OUTSIDER)).toEqual([]);
  expect(candidatesFor("Adam ", people, OUTSIDER)).toHaveLength(1);
});

test("the writer is not offered, whatever is typed", () => {
  expect(candidatesFor("", people, "user:0").map((each) => each.display_name)).toEqual(["Adam Müller", "Bob", "李雷"]);
  expect(candidatesFor("Ada", people, "user:0").map((each) => each.display_name)).toEqual(["Adam Müller"]);
});

import { expect, test } from "vitest";
import { RowStates } from "../src/conversation/model/row-states";

test("what is open in a row is kept, and holds the row, until it is closed", () => {
  const states = new RowStates();
  states.set(7, "edit", true);
  states.set(7, "text", "half a sent");
  states.set(3, "dialog", "details");
  expect(states.held()).toEqual([3, 7]);
  expect(states.get(7, "text")).toBe("half a sent");
  states.set(7, "text", undefined);
  expect(states.held()).toEqual([3, 7]);
  states.set(7, "edit", undefined);
  states.set(9, "react", undefined);
  expect(states.held()).toEqual([3]);
});

import { describe, expect, it } from "vitest";
import type { DeliveryView, HistoryDay, UiSchema } from "@parley/client";
import { CardSchemas, hasHints } from "../src/cards/schemas";
import { cardTarget } from "../src/cards/target";
import { Deliveries } from "../src/conversation/model/deliveries";
import { said, until } from "./conversation-messages";

const PAGE = "https://parley.example/under/a/path/#/t/1";

describe("where a card may lead", () => {
  it("leads to https, or stays on this site", () => {
    expect(cardTarget("https://example.org/a", PAGE)).toMatchObject({ isHere: false, host: "example.org" });
    expect(cardTarget("docs/x", PAGE)).toMatchObject({ isHere: true, href: "https://parley.example/under/a/path/docs/x" });
  });

  it("leads nowhere else", () => {
    const hostile = ["http://example.org", "javascript:alert(1)", "//example.org", "\\\\example.org", "https://a@example.org", "https://exa mple.org", "https://example.org/\u202e", "", undefined, 7];
    hostile.forEach((each) => expect(cardTarget(each, PAGE), String(each)).toBeUndefined());
  });
});

describe("the schemas of cards", () => {
  const schema = { version: "2.0", root: { type: "divider" } } as UiSchema;

  it("are asked for together, and are kept", async () => {
    const asked: [number, number][] = [];
    const cards = new CardSchemas(async (beforeSeq, limit) => {
      asked.push([beforeSeq, limit]);
      const messages = [7, 8, 9].map((seq) => ({ id: `m${seq}`, seq, role: "assistant", content: "", uiSchema: seq === 8 ? null : schema }));
      return { messages } as unknown as HistoryDay;
    });
    [9, 7, 8].forEach((seq) => cards.want(seq));
    await until(() => cards.get(7) !== undefined);
    expect(asked).toEqual([[10, 3]]);
    expect([7, 8, 9].map((seq) => cards.get(seq))).toEqual([schema, null, schema]);
    cards.want(8);
    expect(asked).toHaveLength(1);
  });

  it("are wanted only where an agent gave hints", () => {
    expect(hasHints(said(1))).toBe(false);
    expect(hasHints(said(1, { metadata: { worker_agent_output: { ui_hints: { title: "x" } } } }))).toBe(true);
    expect(hasHints(said(1, { metadata: { tool_agent_output: { ui_hints: {} } }, deleted_at: "2026-01-01T00:00:00Z" }))).toBe(false);
  });
});

describe("what became of replies", () => {
  it("is what became of the worst of their parts", async () => {
    const part = (seq: number, state: string) => ({ thread_seq: seq, state, source: "chat", problem: null }) as DeliveryView;
    const deliveries = new Deliveries(async () => ({ deliveries: [part(2, "sent"), part(2, "dead"), part(4, "sent")], has_more: false }));
    deliveries.changes.subscribe(() => {});
    [2, 3, 4].forEach((seq) => deliveries.want(seq));
    await until(() => deliveries.get(4) !== undefined);
    expect([2, 3, 4].map((seq) => deliveries.get(seq)?.state)).toEqual(["dead", undefined, "sent"]);
  });
});

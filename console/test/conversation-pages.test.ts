import { describe, expect, it } from "vitest";
import { Pages, stretches } from "../src/conversation/model/pages";
import { said } from "./conversation-messages";

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => said(from + i));

describe("the pages of a thread", () => {
  it("know what was read, what takes no room, and what is to be read", () => {
    const pages = new Pages();
    pages.take(901, 1_000, range(901, 1_000).filter((each) => each.thread_seq !== 950));
    expect(pages.lastSeq).toBe(1_000);
    expect(pages.row(999)?.id).toBe("m999");
    expect(pages.row(950)).toBeNull();
    expect(pages.row(900)).toBeUndefined();
    expect(pages.missing(850, 1_000)).toEqual([8]);
  });

  it("do not take a part of a page for all of it", () => {
    const pages = new Pages();
    pages.take(951, 1_000, range(951, 1_000));
    expect(pages.row(960)?.id).toBe("m960");
    expect(pages.row(910)).toBeUndefined();
    expect(pages.missing(910, 960)).toEqual([9]);
  });

  it("grow at the end, within a page and beyond", () => {
    const pages = new Pages();
    pages.take(1, 50, range(1, 50));
    pages.take(51, 60, range(51, 59));
    expect(pages.row(60)).toBeNull();
    pages.take(61, 230, range(61, 230));
    expect(pages.missing(1, 230)).toEqual([]);
    expect(pages.row(230)?.id).toBe("m230");
  });

  it("are read again where so much was said that it was skipped", () => {
    const pages = new Pages();
    pages.take(1, 150, range(1, 150));
    pages.skipTo(5_000);
    expect(pages.missing(1, 200)).toEqual([1]);
    expect(pages.row(120)?.id).toBe("m120");
    expect(pages.row(170)).toBeUndefined();
  });

  it("are replaced by what is read again", () => {
    const pages = new Pages();
    pages.take(1, 10, range(1, 10));
    pages.take(4, 5, [said(4, { content: "edited" })]);
    expect(pages.row(4)?.content).toBe("edited");
    expect(pages.row(5)).toBeNull();
  });

  it("are kept near the view and at the end only", () => {
    const pages = new Pages();
    for (let page = 0; page < 60; page++) {
      pages.take(page * 100 + 1, (page + 1) * 100, range(page * 100 + 1, (page + 1) * 100));
    }
    pages.keepNear(1_050);
    expect([...pages.messages()].length).toBeLessThanOrEqual(2_000);
    expect(pages.row(1_050)?.id).toBe("m1050");
    expect(pages.row(5_999)?.id).toBe("m5999");
    expect(pages.row(4_000)).toBeUndefined();
  });
});

it("positions are read again in few stretches", () => {
  expect(stretches([7, 5, 300, 6, 120])).toEqual([
    [5, 7],
    [120, 120],
    [300, 300],
  ]);
});

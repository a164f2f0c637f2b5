import { describe, expect, it } from "vitest";
import { isReadable, splitBlocks } from "../src/markdown/blocks";
import { targetOf } from "../src/markdown/links";

describe("cutting markdown into parts", () => {
  it("cuts at blank lines, and the parts joined are the text", () => {
    const text = "# Title\n\nOne\ntwo\n\n\nThree مرحبا 中文 👩‍👩‍👧\n";
    expect(splitBlocks(text)).toEqual(["# Title\n\n", "One\ntwo\n\n\n", "Three مرحبا 中文 👩‍👩‍👧\n"]);
    expect(splitBlocks(text).join("")).toBe(text);
  });

  it("does not cut inside a fence, closed or not", () => {
    expect(splitBlocks("```js\na\n\nb\n```\n\nafter")).toEqual(["```js\na\n\nb\n```\n\n", "after"]);
    expect(splitBlocks("before\n\n~~~~\na\n\n~~~\n\nb")).toEqual(["before\n\n", "~~~~\na\n\n~~~\n\nb"]);
  });

  it("does not cut a list, nor what is indented in it", () => {
    const list = "- one\n\n  more of one\n\n- two\n\n";
    expect(splitBlocks(`${list}after`)).toEqual([list, "after"]);
  });

  it("does not cut a text whose links are defined elsewhere in it", () => {
    expect(splitBlocks("See [it][1].\n\n[1]: https://example.org")).toHaveLength(1);
  });

  it("changes only the last part while a text grows", () => {
    const whole = "First.\n\n```\ncode\n\nmore\n```\n\nLast words";
    const before = splitBlocks(whole.slice(0, -6));
    const after = splitBlocks(whole);
    expect(after.slice(0, -1)).toEqual(before.slice(0, -1));
  });

  it("knows what is not worth drawing", () => {
    expect(isReadable("> quoted\n- listed\n**bold**")).toBe(true);
    expect(isReadable(">".repeat(5_000))).toBe(false);
    expect(isReadable("[".repeat(5_000))).toBe(false);
    expect(isReadable("[a](".repeat(5_000))).toBe(false);
    expect(isReadable("[a](https://example.org) ".repeat(500))).toBe(true);
    expect(isReadable("- ".repeat(500))).toBe(false);
    expect(isReadable("x".repeat(60_000))).toBe(false);
  });
});

describe("where links may lead", () => {
  it("shows the host unless the text is that address", () => {
    expect(targetOf("https://example.org/a", "here")).toEqual({ href: "https://example.org/a", host: "example.org" });
    expect(targetOf("https://example.org/a", "https://example.org/a")?.host).toBeUndefined();
    expect(targetOf("https://example.org/a", "example.org")?.host).toBeUndefined();
    expect(targetOf("https://evil.example/example.org", "example.org")?.host).toBe("evil.example");
    expect(targetOf("https://evil.example", "https://example.org (evil.example)")?.host).toBe("evil.example");
  });

  it("leads nowhere but to http, https and mail", () => {
    for (const href of ["javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "vbscript:x", "file:///etc/passwd", "//x", "/a", ""]) {
      expect(targetOf(href, "x"), href).toBeUndefined();
    }
    expect(targetOf("mailto:a@example.org", "write")?.host).toBeUndefined();
  });

  it("leads nowhere if the address hides something", () => {
    expect(targetOf("java\nscript:alert(1)", "x")).toBeUndefined();
    expect(targetOf("https://example.org\u202e/x", "x")).toBeUndefined();
    expect(targetOf("https://example.org@evil.example/", "x")).toBeUndefined();
    expect(targetOf("https://user:secret@example.org/", "x")).toBeUndefined();
  });
});

import { Parley } from "@parley/client";
import { describe, expect, it, vi } from "vitest";

vi.stubGlobal("location", new URL("http://here.example/parley/"));
const { addressOf, fromHere, rememberAddress } = await import("../src/ui/storedImages");

/** Signs every address anew, by counting. */
function server(): { parley: Parley; asked: () => number } {
  let count = 0;
  const fetch = async () => Response.json({ url: `http://elsewhere.example/storage/v1/object/sign/b/${++count}` });
  return { parley: Parley.connect({ url: "http://here.example/parley/", fetch }), asked: () => count };
}

describe("the addresses of stored images", () => {
  it("are asked for once, and again when they are said to be bad", async () => {
    const { parley, asked } = server();
    const image = { bucket: "b", path: "one" };
    expect(await addressOf(parley, image)).toBe(await addressOf(parley, image));
    expect(asked()).toBe(1);
    await addressOf(parley, image, true);
    expect(asked()).toBe(2);
  });

  it("are not kept without end", async () => {
    const { parley, asked } = server();
    const first = { bucket: "b", path: "first" };
    rememberAddress(first, "known");
    expect(await addressOf(parley, first)).toBe("known");
    for (let i = 0; i < 500; i++) {
      rememberAddress({ bucket: "b", path: String(i) }, "known");
    }
    await addressOf(parley, first);
    expect(asked()).toBe(1);
  });

  it("lead to this page's own server, or nowhere", () => {
    expect(fromHere("http://elsewhere.example/storage/v1/object/sign/b/p?token=t")).toBe(
      "http://here.example/parley/storage/v1/object/sign/b/p?token=t",
    );
    expect(fromHere("http://elsewhere.example/p.png")).toBeUndefined();
  });
});

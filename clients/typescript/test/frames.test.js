import assert from "node:assert/strict";
import { test } from "node:test";
import { FrameStream } from "../dist/frames.js";
import { settingsOf } from "../dist/settings.js";
import { Transport } from "../dist/transport.js";
import { QUICK } from "./serving.js";

/** More than there are between a server's answer and the first read of its stream. */
const MOST_TURNS = 40;

/** Does something so many turns of the promises later. */
const after = async (turns, action) => {
  for (let turn = 0; turn < turns; turn++) {
    await undefined;
  }
  action();
};

/** An open event stream that says something, or nothing, until it is given up. */
function answer(signal, said) {
  const body = new ReadableStream({
    start(controller) {
      signal.addEventListener("abort", () => controller.error(signal.reason));
      said !== undefined && controller.enqueue(new TextEncoder().encode(`data: ${said}\n\n`));
    },
  });
  return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
}

test("a connection is replaced without loss or pause, whenever that is asked for while it opens", async () => {
  for (let turns = 0; turns < MOST_TURNS; turns++) {
    const states = [];
    let connections = 0;
    const fetch = async (_url, { signal }) => {
      if (++connections > 1) {
        return answer(signal, "new");
      }
      void after(turns, () => frames.reopen());
      return answer(signal);
    };
    const transport = new Transport(settingsOf({ url: "http://here", fetch, retryStreams: QUICK }));
    const frames = new FrameStream(transport, "/stream", () => undefined, { onState: ({ kind }) => states.push(kind) });
    assert.equal((await frames.next()).data, "new", `after ${turns} turns`);
    assert.equal(connections, 2, `after ${turns} turns`);
    assert.ok(!states.includes("waiting"), `after ${turns} turns: ${states}`);
    frames.close();
  }
});

test("what an older connection said is not handed out after it was replaced", async () => {
  let connections = 0;
  const fetch = async (_url, { signal }) => answer(signal, ++connections === 1 ? "old" : "new");
  const transport = new Transport(settingsOf({ url: "http://here", fetch, retryStreams: QUICK }));
  const onState = ({ kind }) => kind === "open" && connections === 1 && frames.reopen();
  const frames = new FrameStream(transport, "/stream", () => undefined, { onState });
  assert.equal((await frames.next()).data, "new");
  frames.close();
});

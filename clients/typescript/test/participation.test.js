import assert from "node:assert/strict";
import { test } from "node:test";
import { computeStaleLag, freshId, isStale, shouldRespond } from "../dist/index.js";
import { errorsIn } from "./compiling.js";

test("whoever has read less than there is, is stale by the difference", () => {
  assert.deepEqual([isStale(11, 12), isStale(12, 12), isStale(13, 12)], [true, false, false]);
  assert.deepEqual([computeStaleLag(11, 14), computeStaleLag(12, 12), computeStaleLag(13, 12)], [3, 0, 0]);
});

test("without a base seq, or a current one, nothing is stale and the lag is 0", () => {
  for (const [base, current] of [[null, 5], [undefined, 5], [5, null], [null, null], [undefined, undefined]]) {
    assert.deepEqual([isStale(base, current), computeStaleLag(base, current)], [false, 0]);
  }
  assert.deepEqual([isStale(0, 1), computeStaleLag(0, 1), isStale(0, 0)], [true, 1, false]);
});

test("an absent mode is open, and absent mentions name no agent", () => {
  for (const absent of [null, undefined]) {
    assert.equal(shouldRespond({ mode: absent, me: "agent:me", sender: "user:a", mentions: absent }), true);
    assert.equal(shouldRespond({ mode: absent, me: "agent:me", sender: "agent:b", mentions: absent }), false);
    assert.equal(shouldRespond({ mode: "invocation_only", me: "agent:me", sender: "user:a", mentions: absent }), false);
  }
});

test("an event without a sender is answered by no agent", () => {
  for (const sender of [null, undefined]) {
    assert.equal(shouldRespond({ mode: "open", me: "agent:me", sender, mentions: ["agent:me"] }), false);
  }
});

test("the helpers take the client's own messages and their nullable fields, strictly", () => {
  const program = `
    import { computeStaleLag, isStale, shouldRespond, stripLegacyIngestPrefix } from "@parley/client";
    import type { EventEnvelope, Message, NewAgentMessage, Participant, ThreadView } from "@parley/client";
    declare const event: EventEnvelope;
    declare const message: Message;
    declare const draft: NewAgentMessage;
    declare const participant: Participant;
    declare const thread: ThreadView;
    declare const currentThreadSeq: number;

    // Check if the agent's context is outdated
    if (isStale(message.base_seq, currentThreadSeq)) {
      const lag = computeStaleLag(message.base_seq, currentThreadSeq);
      console.log(\`Agent is \${lag} messages behind\`);
    }
    isStale(draft.base_seq, thread.last_seq);
    const { sender_id: sender, mentions } = message;
    const mode = participant.participation_mode ?? thread.participation_mode;
    shouldRespond({ mode, me: participant.sender_id, sender, mentions });
    shouldRespond({ mode: null, me: participant.sender_id, sender, mentions: draft.mentions });
    shouldRespond({ mode, me: participant.sender_id, sender: event.sender_id, mentions: event.mentions });
    stripLegacyIngestPrefix(event.content, null);
    const shown: string = stripLegacyIngestPrefix(message.content, null);
    stripLegacyIngestPrefix(null, shown);
  `;
  assert.deepEqual(errorsIn(program), []);
  assert.match(errorsIn(`${program}isStale("5", 6);`).join(), /not assignable/);
});

const me = "agent:me";
for (const [mode, sender, mentioned, answer] of [
  ["open", "user:a", false, true],
  ["open", "slack:U1", false, true],
  ["open", "agent:other", false, false],
  ["open", "agent:other", true, true],
  ["open", "system:parley", false, false],
  ["open", me, true, false],
  ["invocation_only", "user:a", false, false],
  ["invocation_only", "user:a", true, true],
  ["invocation_only", "agent:other", true, true],
]) {
  const [called, does] = [mentioned ? "mentioned" : "passed over", answer ? "answers" : "is silent"];
  test(`${mode}: an agent ${called} by ${sender} ${does}`, () => {
    assert.equal(shouldRespond({ mode, me, sender, mentions: mentioned ? [me] : [] }), answer);
  });
}

test("fresh ids are of version 7, and later ones sort behind", () => {
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  const ids = [0, 1, 4294967295, 4294967296, 1794830000000].map((time) => freshId(time));
  ids.forEach((id) => assert.match(id, form));
  assert.deepEqual([...ids].sort(), ids);
  assert.equal(new Set(Array.from({ length: 1000 }, () => freshId())).size, 1000);
});

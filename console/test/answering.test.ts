import type { Participant, ThreadView, UsableAgent } from "@parley/client";
import { expect, test } from "vitest";
import { answeringAgents } from "../src/app/answering";

const usable: UsableAgent[] = [
  { agentId: "1", name: "Demo", kind: "demo", isDefault: false },
  { agentId: "2", name: "助手", kind: "model", isDefault: true },
];

const withParticipants = (...participants: Pick<Participant, "sender_id" | "participant_kind" | "display_name">[]) =>
  ({ participants }) as ThreadView;

test("the server's default agent answers in a conversation that has not begun, whichever it is", () => {
  expect(answeringAgents(undefined, usable)).toEqual([{ name: "助手", kind: "model" }]);
  expect(answeringAgents(undefined, usable.slice(0, 1))).toEqual([]);
});

test("the agents of a conversation answer in it, also those that its reader may not ask elsewhere", () => {
  const thread = withParticipants(
    { sender_id: "user:1", participant_kind: "user", display_name: "Ada" },
    { sender_id: "agent:1", participant_kind: "agent", display_name: "Demo" },
    { sender_id: "agent:3", participant_kind: "agent", display_name: "Bob's own" },
  );
  expect(answeringAgents(thread, usable)).toEqual([
    { name: "Demo", kind: "demo" },
    { name: "Bob's own", kind: undefined },
  ]);
});

import { expect, test } from "vitest";
import { senderName, type Talk } from "../src/conversation/context";
import { said } from "./conversation-messages";

const talk = {
  model: { names: new Map([["user:1", "李雷"], ["agent:1", "Agent"]]) },
  me: "user:1",
  myName: "Me",
  agentNames: new Map(),
} as unknown as Talk;

test("a person's message carries the person's name, whatever agent was asked", () => {
  expect(senderName(talk, said(1, { metadata: { agent_name: "Counter" } }))).toBe("李雷");
});

test("an answer carries the name of the agent that its source gives", () => {
  const answer = said(2, { sender_id: "agent:1", role: "assistant", metadata: { agent_name: "Counter" } });
  expect(senderName(talk, answer)).toBe("Counter");
  expect(senderName(talk, { ...answer, metadata: null })).toBe("Agent");
});

test("a person of another platform has the name that the platform gives", () => {
  const relayed = said(3, { sender_id: "slack:U1", metadata: { sender_display_name: "Olivia", agent_name: "Counter" } });
  expect(senderName(talk, relayed)).toBe("Olivia");
});

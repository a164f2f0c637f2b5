import { createContext, useContext } from "react";
import type { Message } from "@parley/client";
import type { CardSchemas } from "../cards/schemas";
import type { ConversationProps } from "./Conversation";
import type { Deliveries } from "./model/deliveries";
import { textFact } from "./model/facts";
import type { RowStates } from "./model/row-states";
import type { ThreadModel } from "./model/thread-model";

/** What all parts of an open conversation know. */
export interface Talk {
  threadId: string;
  model: ThreadModel;
  cards: CardSchemas;
  deliveries: Deliveries;
  rowStates: RowStates;
  me: string;
  myName: string;
  actions: Pick<ConversationProps, "onResume" | "onRegenerate" | "onResend" | "onEdit" | "onDiscard" | "onInspect">;
  /** The agents that one may ask, by their ids: those who have left the thread are still called something. */
  agentNames: ReadonlyMap<string, string>;
  /** Whether nothing can be said or changed in it: it is archived, or one is not in it any more. */
  isClosed: boolean;
  /** Says something to those who do not see the page. */
  announce: (words: string) => void;
}

export const TalkContext = createContext<Talk | undefined>(undefined);

export function useTalk(): Talk {
  const talk = useContext(TalkContext);
  if (talk === undefined) {
    throw new Error("No conversation is open here.");
  }
  return talk;
}

/** Signs that turn the direction of what is around them: in a name they would let it look like another one. */
const TURNS = /[\u202A-\u202E\u2066-\u2069]/g;

/** What somebody is called in the thread: by themselves, now or when they were in it, else by their id. */
export function nameOf({ model, me, myName, agentNames }: Talk, sender: string | undefined): string {
  const known = sender === undefined ? undefined : (model.names.get(sender) ?? agentNames.get(sender));
  return (known || (sender === me ? myName : (sender ?? "Agent"))).replace(TURNS, "");
}

/** The sender's name as the source of the message gives it, else as the thread has it. */
export function senderName(talk: Talk, message: Message): string {
  // On a person's message `agent_name` names the agent that was asked, not its author.
  const agent = message.role === "user" ? undefined : textFact(message, "agent_name");
  const given = textFact(message, "sender_display_name") ?? agent;
  return given?.replace(TURNS, "") ?? nameOf(talk, message.sender_id);
}

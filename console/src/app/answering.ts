import type { AgentKind, ThreadView, UsableAgent } from "@parley/client";

/** An agent that answers in a conversation; its kind is known if the reader may ask it elsewhere too. */
export interface AnsweringAgent {
  name: string;
  kind: AgentKind | undefined;
}

/** The agents that answer in a conversation: those in it, and the server's default agent in one that has not begun. */
export function answeringAgents(thread: ThreadView | undefined, usable: readonly UsableAgent[]): AnsweringAgent[] {
  if (thread === undefined) {
    return usable.filter(({ isDefault }) => isDefault).map(({ name, kind }) => ({ name, kind }));
  }
  return thread.participants
    .filter((each) => each.participant_kind === "agent")
    .map(({ sender_id: actor, display_name: name }) => {
      return { name, kind: usable.find(({ agentId }) => `agent:${agentId}` === actor)?.kind };
    });
}

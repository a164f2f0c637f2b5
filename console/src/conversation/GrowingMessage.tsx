import { memo } from "react";
import { nameOf, useTalk } from "./context";
import { Frame } from "./Frame";
import type { Growing } from "./model/live";
import { growingCalls } from "./model/rows";
import { Reasoning } from "./Reasoning";
import { stageLabel } from "./StatusLine";
import { AgentText } from "./Text";
import { ToolCall } from "./ToolCall";

interface GrowingMessageProps {
  growing: Growing;
  isGrouped: boolean;
  isActive: boolean;
}

/** What is being said right now. */
export const GrowingMessage = memo(function GrowingMessage({ growing, isGrouped, isActive }: GrowingMessageProps) {
  const talk = useTalk();
  const { model } = talk;
  const agents = model.thread?.participants.filter((each) => each.participant_kind === "agent");
  const agent = model.runs.agentOf(growing.runId) ?? agents?.[0]?.sender_id;
  const name = model.live.memberName(growing.member) ?? nameOf(talk, agent);
  return (
    <Frame
      name={name}
      isMine={false}
      isGrouped={isGrouped}
      isActive={isActive}
      role="assistant"
      state="growing"
      stage={stageLabel(growing.stage)}
    >
      {growing.thoughts.map((thought) => (
        <Reasoning
          key={thought.id}
          text={thought.text}
          isThinking={thought.endedAt === undefined}
          ms={thought.endedAt === undefined ? undefined : thought.endedAt - thought.startedAt}
        />
      ))}
      {growing.text !== "" && <AgentText text={growing.text} />}
      {growingCalls(model, growing).map((call) => (
        <ToolCall key={call.id} call={call} />
      ))}
    </Frame>
  );
});

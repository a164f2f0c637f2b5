import { memo, useState } from "react";
import { stripLegacyIngestPrefix, type Message } from "@parley/client";
import { MessageCard } from "../cards/MessageCard";
import { nameOf, senderName, useTalk } from "./context";
import { EditMessage } from "./EditMessage";
import { Frame } from "./Frame";
import { Marks } from "./Marks";
import { MessageActions } from "./MessageActions";
import { flagFact, textFact, thoughtsOf } from "./model/facts";
import type { CallView } from "./model/rows";
import { imagesOf, Pictures } from "./Pictures";
import { Quote } from "./Quote";
import { ReactionPicker, Reactions } from "./Reactions";
import { Reasoning } from "./Reasoning";
import { stageLabel } from "./StatusLine";
import { AgentText, HumanText } from "./Text";
import { ToolAnswer, ToolCall } from "./ToolCall";

interface CommittedMessageProps {
  message: Message;
  calls: CallView[];
  isGrouped: boolean;
  isActive: boolean;
}

/** A message of the log, as it stands after its revisions. */
export const CommittedMessage = memo(function CommittedMessage({ message, calls, isGrouped, isActive }: CommittedMessageProps) {
  const talk = useTalk();
  const [mode, setMode] = useState<"read" | "edit" | "react">("read");
  const isMine = message.sender_id === talk.me;
  const isDeleted = message.deleted_at !== null;
  const close = (): void => setMode("read");
  return (
    <Frame
      name={senderName(talk, message)}
      isMine={isMine}
      isGrouped={isGrouped}
      isActive={isActive}
      isAside={isDeleted || flagFact(message, "withdrawn") || flagFact(message, "superseded")}
      role={message.role}
      state="committed"
      seq={message.thread_seq}
      at={message.created_at}
      source={textFact(message, "source")}
      stage={message.role === "assistant" && calls.length === 0 ? stageLabel(textFact(message, "stage")) : undefined}
      actions={<MessageActions message={message} onEdit={() => setMode("edit")} onReact={() => setMode("react")} />}
    >
      {message.reply_to !== null && <Quote messageId={message.reply_to} />}
      {mode === "edit" ? <EditMessage message={message} onClose={close} /> : <Said message={message} calls={calls} />}
      {!isDeleted && <MessageCard message={message} />}
      <Marks message={message} />
      <Reactions message={message} />
      {mode === "react" && <ReactionPicker message={message} onClose={close} />}
      {message.mentions.length > 0 && isUnnamed(message) && (
        <p className="conversation-marks">
          To <bdi>{message.mentions.map((each) => nameOf(talk, each)).join(", ")}</bdi>
        </p>
      )}
    </Frame>
  );
});

/** Whether those who are mentioned are not named in the text. */
const isUnnamed = (message: Message): boolean => message.role === "user" && !message.content.includes("@");

function Said({ message, calls }: { message: Message; calls: CallView[] }) {
  const { model } = useTalk();
  if (message.deleted_at !== null) {
    return null;
  }
  const text = flagFact(message, "legacy_prefix")
    ? stripLegacyIngestPrefix(message.content, textFact(message, "source"))
    : message.content;
  return (
    <>
      {thoughtsOf(message).map((thought) => (
        <Reasoning key={thought.id} text={thought.text} isThinking={false} ms={model.live.thoughtMs(thought.id)} />
      ))}
      <Pictures images={imagesOf(message)} />
      {message.role === "tool" && <ToolAnswer name={textFact(message, "tool_name") ?? "Tool"} result={text} />}
      {message.role === "assistant" && text !== "" && <AgentText text={text} />}
      {(message.role === "user" || message.role === "system") && text !== "" && <HumanText text={text} />}
      {calls.map((call) => (
        <ToolCall key={call.id} call={call} />
      ))}
    </>
  );
}

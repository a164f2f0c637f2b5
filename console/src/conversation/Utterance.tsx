import { useRef } from "react";
import type { Message } from "@parley/client";
import { MessageCard } from "../cards/MessageCard";
import { nameOf, senderName, useTalk, type Talk } from "./context";
import { DeliveryMark } from "./DeliveryMark";
import { EditMessage } from "./EditMessage";
import { Frame } from "./Frame";
import { Marks } from "./Marks";
import { MessageActions } from "./MessageActions";
import { flagFact, textFact } from "./model/facts";
import type { Growing } from "./model/growing";
import type { RowView } from "./model/rows";
import { beingSaid, saidBy } from "./model/said";
import { imagesOf, Pictures } from "./Pictures";
import { Quote } from "./Quote";
import { ReactionPicker, Reactions } from "./Reactions";
import { stageLabel } from "./stages";
import { useRowState } from "./useRowState";
import { Words } from "./Words";

interface UtteranceProps {
  /** What was committed; until then, what grows. */
  row: RowView | undefined;
  growing: Growing | undefined;
  isGrouped: boolean;
  isActive: boolean;
}

/** A message, from its first word to what stands in the log. The same elements stay all the way. */
export function Utterance({ row, growing, isGrouped, isActive }: UtteranceProps) {
  const talk = useTalk();
  const message = row?.message;
  const { model, me } = talk;
  const [isEditing, setEditing] = useRowState<true>(message?.thread_seq, "edit");
  const [isReacting, setReacting] = useRowState<true>(message?.thread_seq, "react");
  const frame = useRef<HTMLElement>(null);
  const close = (): void => {
    setEditing(undefined);
    setReacting(undefined);
    frame.current?.focus({ preventScroll: true });
  };
  const said = row ? saidBy(model, row.message, row.calls) : growing && beingSaid(model, growing);
  if (said === undefined) {
    return null;
  }
  return (
    <Frame
      ref={frame}
      name={message ? senderName(talk, message) : speakerName(talk, growing)}
      isMine={message?.sender_id === me}
      isGrouped={isGrouped}
      isActive={isActive}
      isAside={message !== undefined && isAside(message)}
      role={said.role}
      state={message ? "committed" : "growing"}
      seq={message?.thread_seq}
      at={message?.created_at}
      source={message && textFact(message, "source")}
      stage={stageLabel(said.stage)}
      actions={
        row && <MessageActions row={row} onEdit={() => setEditing(true)} onReact={() => setReacting(true)} />
      }
    >
      {row && <Before row={row} />}
      {!isEditing && <Words said={said} toolName={message && textFact(message, "tool_name")} />}
      {message && isEditing && <EditMessage message={message} onClose={close} />}
      {message && <After message={message} />}
      {message && isReacting && <ReactionPicker message={message} onClose={close} />}
    </Frame>
  );
}

/** What stands above the words of a committed message. */
function Before({ row: { message, quoted } }: { row: RowView }) {
  return (
    <>
      {message.reply_to !== null && <Quote message={quoted} />}
      <Pictures images={imagesOf(message)} seq={message.thread_seq} />
    </>
  );
}

/** What stands below them. */
function After({ message }: { message: Message }) {
  const talk = useTalk();
  return (
    <>
      {message.deleted_at === null && <MessageCard message={message} />}
      <Marks message={message} />
      <DeliveryMark message={message} />
      {isUnnamed(message) && (
        <p className="conversation-marks">
          To <bdi>{message.mentions.map((each) => nameOf(talk, each)).join(", ")}</bdi>
        </p>
      )}
      <Reactions message={message} />
    </>
  );
}

const isAside = (message: Message): boolean =>
  message.deleted_at !== null || flagFact(message, "withdrawn") || flagFact(message, "superseded");

/** Whether those who are mentioned are not named in the text. */
const isUnnamed = (message: Message): boolean =>
  message.role === "user" && message.mentions.length > 0 && !message.content.includes("@");

function speakerName(talk: Talk, growing: Growing | undefined): string {
  const { model } = talk;
  const agents = model.thread?.participants.filter((each) => each.participant_kind === "agent");
  return model.live.memberName(growing?.member) ?? nameOf(talk, model.runs.agentOf(growing?.runId) ?? agents?.[0]?.sender_id);
}

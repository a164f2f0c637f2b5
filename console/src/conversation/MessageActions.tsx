import { useRef } from "react";
import { useParley } from "../connection/context";
import { Confirm } from "../ui/Confirm";
import { sentenceOf } from "../ui/Failure";
import { Icon } from "../ui/Icon";
import { Menu, type MenuItem } from "../ui/Menu";
import { senderName, useTalk } from "./context";
import { copyMessage } from "./copying";
import { MessageDetails } from "./MessageDetails";
import { runOf } from "./model/facts";
import type { RowView } from "./model/rows";
import { useRowState } from "./useRowState";

interface MessageActionsProps {
  row: RowView;
  onEdit: () => void;
  onReact: () => void;
}

/** What can be done with a message. */
export function MessageActions({ row: { message, asked }, onEdit, onReact }: MessageActionsProps) {
  const talk = useTalk();
  const parley = useParley();
  const [shown, setShown] = useRowState<"details" | "delete">(message.thread_seq, "dialog");
  const { actions, announce, isClosed, me, threadId } = talk;
  const runId = runOf(message);
  const canChange = !isClosed && message.sender_id === me && message.deleted_at === null;
  const here = useRef<HTMLSpanElement>(null);
  const close = (): void => {
    setShown(undefined);
    // Nothing behind a dialog can have the focus before that is closed.
    requestAnimationFrame(() => here.current?.closest("article")?.focus({ preventScroll: true }));
  };

  const items: (MenuItem | false)[] = [
    message.content !== "" && { label: "Copy", onSelect: () => void copyMessage(talk, message) },
    !isClosed && message.deleted_at === null && { label: "React", onSelect: onReact },
    canChange && message.role === "user" && { label: "Edit", onSelect: onEdit },
    !isClosed && asked !== undefined && {
      label: "Regenerate",
      onSelect: () => actions.onRegenerate(asked.id, message.sender_id, asked.content),
    },
    canChange && message.role === "user" && runId !== undefined && {
      label: "Answer again",
      onSelect: () => actions.onRegenerate(message.id, undefined, message.content),
    },
    runId !== undefined && { label: "Inspect run", onSelect: () => actions.onInspect(runId) },
    { label: "Details", onSelect: () => setShown("details") },
    canChange && { label: "Delete", onSelect: () => setShown("delete"), danger: true },
  ];
  return (
    <span className="conversation-actions" ref={here}>
      <Menu label={`Actions for the message of ${senderName(talk, message)}`} items={items.filter((each) => each !== false)}>
        <Icon name="menu" />
      </Menu>
      {shown === "details" && <MessageDetails message={message} onClose={close} />}
      {shown === "delete" && (
        <Confirm
          title="Delete this message?"
          action="Delete"
          onClose={close}
          onConfirm={() => {
            parley.thread(threadId).message(message.id).delete().catch((error: unknown) => announce(sentenceOf(error)));
          }}
        >
          Everybody in the conversation will see that it was deleted. The log keeps what it said.
        </Confirm>
      )}
    </span>
  );
}

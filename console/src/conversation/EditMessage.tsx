import { useState } from "react";
import type { Message } from "@parley/client";
import { useParley } from "../connection/context";
import { Button } from "../ui/Button";
import { sentenceOf } from "../ui/Failure";
import { useTalk } from "./context";
import { useRowState } from "./useRowState";

/** Changes what one has said, in its place. */
export function EditMessage({ message, onClose: leave }: { message: Message; onClose: () => void }) {
  const { threadId, model } = useTalk();
  const parley = useParley();
  const [text = message.content, setText] = useRowState<string>(message.thread_seq, "text");
  const [refusal, setRefusal] = useState<string>();
  const [isSaving, setSaving] = useState(false);

  function onClose(): void {
    setText(undefined);
    leave();
  }

  async function save(): Promise<void> {
    if (text === message.content || text.trim() === "") {
      onClose();
      return;
    }
    setSaving(true);
    try {
      await parley.thread(threadId).message(message.id).edit(text);
      model.refresh.want((wants) => wants.rows.add(message.thread_seq));
      onClose();
    } catch (error) {
      setRefusal(sentenceOf(error));
      setSaving(false);
    }
  }

  return (
    <div className="conversation-edit">
      <textarea
        aria-label="Edit the message"
        dir="auto"
        autoFocus
        value={text}
        rows={Math.min(12, text.split("\n").length + 1)}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.preventDefault();
            event.stopPropagation();
            onClose();
          } else if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
            event.preventDefault();
            void save();
          }
        }}
      />
      {refusal !== undefined && (
        <p className="field-error" role="alert">
          {refusal}
        </p>
      )}
      <div className="conversation-notice-actions">
        <Button look="primary" disabled={isSaving} onClick={() => void save()}>
          Save
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </div>
  );
}

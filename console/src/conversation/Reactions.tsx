import { useState, type FormEvent } from "react";
import type { Message } from "@parley/client";
import { useParley } from "../connection/context";
import { Button } from "../ui/Button";
import { sentenceOf } from "../ui/Failure";
import { nameOf, useTalk } from "./context";

const OFFERED = ["👍", "❤️", "😄", "🎉", "👀", "🙏", "✅", "❌"];

/** Sets or takes back a reaction of one's own. */
function useToggle(message: Message): (emoji: string) => void {
  const { threadId, me, announce, model } = useTalk();
  const parley = useParley();
  return (emoji) => {
    const target = parley.thread(threadId).message(message.id);
    const isMine = message.reactions.some((each) => each.emoji === emoji && each.sender_ids.includes(me));
    (isMine ? target.unreact(emoji) : target.react(emoji)).then(
      () => model.refresh.want((wants) => wants.rows.add(message.thread_seq)),
      (error: unknown) => announce(sentenceOf(error)),
    );
  };
}

/** How others reacted; a press adds one's own, or takes it back. */
export function Reactions({ message }: { message: Message }) {
  const talk = useTalk();
  const toggle = useToggle(message);
  if (message.reactions.length === 0 || message.deleted_at !== null) {
    return null;
  }
  return (
    <div className="conversation-reactions">
      {message.reactions.map(({ emoji, sender_ids: senders }) => (
        <button
          key={emoji}
          type="button"
          className="conversation-reaction"
          aria-pressed={senders.includes(talk.me)}
          disabled={talk.isClosed}
          title={senders.map((each) => nameOf(talk, each)).join(", ")}
          onClick={() => toggle(emoji)}
        >
          <bdi>{emoji}</bdi> {senders.length}
        </button>
      ))}
    </div>
  );
}

/** Offers a few reactions, and any other. */
export function ReactionPicker({ message, onClose }: { message: Message; onClose: () => void }) {
  const toggle = useToggle(message);
  const [own, setOwn] = useState("");
  const choose = (emoji: string): void => {
    toggle(emoji);
    onClose();
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (own.trim() !== "") {
      choose(own.trim());
    }
  };
  return (
    <form
      className="conversation-picker"
      aria-label="React"
      onSubmit={onSubmit}
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          event.preventDefault();
          event.stopPropagation();
          onClose();
        }
      }}
    >
      {OFFERED.map((emoji, index) => (
        <Button key={emoji} look="ghost" icon aria-label={`React with ${emoji}`} autoFocus={index === 0} onClick={() => choose(emoji)}>
          {emoji}
        </Button>
      ))}
      <input aria-label="Another reaction" placeholder="Other" size={5} maxLength={32} value={own} onChange={(event) => setOwn(event.target.value)} />
      <Button look="ghost" onClick={onClose}>
        Close
      </Button>
    </form>
  );
}

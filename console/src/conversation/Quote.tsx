import type { Message } from "@parley/client";
import { senderName, useTalk } from "./context";
import { shownText } from "./model/said";

/** The message that another one replies to, in a line; none if it was not read. */
export function Quote({ message }: { message: Message | undefined }) {
  const talk = useTalk();
  return (
    <blockquote className="conversation-quote ellipsis" dir="auto">
      {message ? (
        <>
          <bdi>{senderName(talk, message)}</bdi>: {message.deleted_at === null ? shownText(message).slice(0, 200) : message.erased_at === null ? "Deleted" : "Erased"}
        </>
      ) : (
        "In reply to an earlier message"
      )}
    </blockquote>
  );
}

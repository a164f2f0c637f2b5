import { senderName, useTalk } from "./context";

/** The message that another one replies to, in a line. */
export function Quote({ messageId }: { messageId: string }) {
  const talk = useTalk();
  const seq = talk.model.index.seqOf(messageId);
  const message = seq === undefined ? undefined : talk.model.pages.row(seq);
  return (
    <blockquote className="conversation-quote ellipsis" dir="auto">
      {message ? (
        <>
          <bdi>{senderName(talk, message)}</bdi>: {message.deleted_at === null ? message.content.slice(0, 200) : "Deleted"}
        </>
      ) : (
        "In reply to an earlier message"
      )}
    </blockquote>
  );
}

import { memo } from "react";
import { longDay } from "../ui/time";
import { CommittedMessage } from "./CommittedMessage";
import type { RowView } from "./model/rows";
import { Notice } from "./Notice";

interface RowProps {
  row: RowView;
  isActive: boolean;
}

/** A committed message with what stands around it: its day, the line above what is new, and how its run ended. */
export const Row = memo(function Row({ row, isActive }: RowProps) {
  const { message, startsDay, isFirstUnread, isGrouped, calls, notices } = row;
  return (
    <>
      {startsDay && (
        <div className="conversation-day">
          <time dateTime={message.created_at.slice(0, 10)}>{longDay(message.created_at)}</time>
        </div>
      )}
      {isFirstUnread && <div className="conversation-new">New</div>}
      <CommittedMessage message={message} calls={calls} isGrouped={isGrouped} isActive={isActive} />
      {notices.map((notice) => (
        <Notice key={notice.runId} notice={notice} seq={message.thread_seq} />
      ))}
    </>
  );
});

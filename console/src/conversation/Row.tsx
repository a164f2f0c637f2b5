import { memo } from "react";
import type { Message, ThreadView } from "@parley/client";
import { longDay } from "../ui/time";
import { flagFact } from "./model/facts";
import type { Growing } from "./model/growing";
import type { RowView } from "./model/rows";
import { Notice } from "./Notice";
import { Utterance } from "./Utterance";

interface RowProps {
  /** What was committed; until then, what grows. */
  row?: RowView;
  growing?: Growing;
  /** Says what everybody is called; if that changes, it is drawn again. */
  thread: ThreadView | undefined;
  isGrouped: boolean;
  isActive: boolean;
}

/** A message with what stands around it: its day, the line above what is new, and how its run ended. */
export const Row = memo(function Row({ row, growing, isGrouped, isActive }: RowProps) {
  const message = row?.message;
  return (
    <>
      {message && row.startsDay && (
        <div className="conversation-day">
          <time dateTime={message.created_at.slice(0, 10)}>{longDay(message.created_at)}</time>
        </div>
      )}
      {row?.isFirstUnread && <div className="conversation-new">New</div>}
      <Utterance row={row} growing={growing} isGrouped={isGrouped} isActive={isActive} />
      {message &&
        row.notices.map((notice) => (
          <Notice key={notice.runId} notice={notice} isOver={isReplaced(message)} />
        ))}
    </>
  );
});

const isReplaced = (message: Message): boolean => flagFact(message, "superseded") || flagFact(message, "withdrawn");

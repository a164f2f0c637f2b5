import type { ThreadView } from "@parley/client";
import { memo } from "react";
import { threadAddress } from "../app/route";
import { Badge } from "../ui/Badge";
import { exactTime, shortTime } from "../ui/time";
import { sourcesOf, titleOf, unreadLabel } from "./words";

/** One thread in the list. */
export const ThreadRow = memo(function ThreadRow({ thread, isCurrent }: { thread: ThreadView; isCurrent: boolean }) {
  const at = thread.last_message_at ?? thread.created_at;
  const unread = isCurrent ? 0 : thread.unread_count;
  return (
    <li>
      <a
        className="threads-row"
        href={threadAddress(thread.thread_id)}
        aria-current={isCurrent ? "page" : undefined}
        data-unread={unread > 0 ? "" : undefined}
      >
        <span className="threads-title ellipsis" dir="auto">
          {titleOf(thread)}
        </span>
        <time className="threads-time small quiet" dateTime={at} title={exactTime(at)}>
          {shortTime(at)}
        </time>
        <span className="threads-preview ellipsis small quiet" dir="auto">
          {thread.last_message_preview ?? "Nothing said yet"}
        </span>
        <span className="threads-marks">
          {sourcesOf(thread).map((source) => (
            <Badge key={source}>{source}</Badge>
          ))}
          {unread > 0 && (
            <Badge tone="accent">
              {unreadLabel(unread)}
              <span className="unseen"> unread</span>
            </Badge>
          )}
        </span>
      </a>
    </li>
  );
});

import type { Message } from "@parley/client";
import { Badge } from "../ui/Badge";
import { exactTime } from "../ui/time";
import { flagFact } from "./model/facts";

/** What became of a message after it was said. */
export function Marks({ message }: { message: Message }) {
  const { deleted_at: deleted, erased_at: erased, edited_at: edited, stale_lag: lag } = message;
  const words = [
    deleted !== null && (erased === null ? "Deleted" : "Erased"),
    flagFact(message, "truncated") && "Too long to be shown whole",
    flagFact(message, "partial") && "Cut short",
    flagFact(message, "withdrawn") && "Withdrawn",
    flagFact(message, "superseded") && "Replaced by a later answer",
  ].filter((each) => typeof each === "string");
  const isEdited = edited !== null && deleted === null;
  if (words.length === 0 && !isEdited && !lag) {
    return null;
  }
  return (
    <p className="conversation-marks">
      {words.map((each) => (
        <span key={each}>{each}</span>
      ))}
      {isEdited && <span title={exactTime(edited)}>Edited</span>}
      {lag !== null && lag > 0 && (
        <Badge tone="warn" title="Others had spoken since what this answers was read.">
          Written {lag} {lag === 1 ? "message" : "messages"} behind
        </Badge>
      )}
    </p>
  );
}

import type { Message } from "@parley/client";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { reasonSentence } from "../ui/reasons";
import { exactTime } from "../ui/time";
import { nameOf, senderName, useTalk } from "./context";
import { textFact } from "./model/facts";

/** All that is known of a message, among it who answers it and who does not. */
export function MessageDetails({ message, onClose }: { message: Message; onClose: () => void }) {
  const talk = useTalk();
  const facts: [string, string | undefined][] = [
    ["From", `${senderName(talk, message)} (${message.sender_id})`],
    ["Source", textFact(message, "source")],
    ["Time", exactTime(message.created_at)],
    ["Position", String(message.thread_seq)],
    ["Message", message.id],
    ["Run", textFact(message, "run_id")],
    ["Stage", textFact(message, "stage")],
    ["Had read to", message.base_seq === null ? undefined : `position ${message.base_seq}`],
  ];
  return (
    <Dialog title="Message details" onClose={onClose}>
      <dl className="conversation-details">
        {facts.map(
          ([label, value]) =>
            value !== undefined && (
              <div key={label}>
                <dt>{label}</dt>
                <dd dir="auto">{value}</dd>
              </div>
            ),
        )}
      </dl>
      {message.engagement !== null && message.engagement.length > 0 && (
        <>
          <h3>Who answers</h3>
          <ul className="conversation-engagement">
            {message.engagement.map((each) => (
              <li key={each.sender_id}>
                <bdi>{nameOf(talk, each.sender_id)}</bdi> {each.should_respond ? "answers" : "does not answer"}.{" "}
                {reasonSentence(each.reason)}
              </li>
            ))}
          </ul>
        </>
      )}
      <div className="dialog-actions">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

import type { Engagement, Message } from "@parley/client";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { exactTime } from "../ui/time";
import { nameOf, senderName, useTalk } from "./context";
import { textFact } from "./model/facts";

const REASONS: Record<string, string> = {
  open: "it answers everything here",
  mentioned: "it was mentioned",
  run: "it was asked to",
  not_mentioned: "it was not mentioned",
  own_message: "the message is its own",
  agent_not_mentioned: "an agent spoke and did not mention it",
  hop_limit: "agents have answered each other often enough",
  agent_budget: "agents have started enough runs for now",
  inactive: "it is switched off",
  system_message: "the message is the system's",
  belongs_to_run: "another run answers this message",
  passive: "the message was brought in to be kept, not to be answered",
};

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
                <bdi>{nameOf(talk, each.sender_id)}</bdi> {reasonOf(each)}
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

/** Why somebody answers, or does not. */
export function reasonOf({ should_respond: answers, reason }: Engagement): string {
  return `${answers ? "answers" : "does not answer"}, because ${REASONS[reason] ?? reason.replaceAll("_", " ")}.`;
}

import { useEffect, useSyncExternalStore } from "react";
import type { Message } from "@parley/client";
import { Badge } from "../ui/Badge";
import { useTalk } from "./context";

const WORDS = {
  waiting: { tone: "plain", text: "On its way to" },
  sending: { tone: "plain", text: "On its way to" },
  sent: { tone: "good", text: "Delivered to" },
  uncertain: { tone: "warn", text: "Perhaps delivered to" },
  dead: { tone: "bad", text: "Not delivered to" },
} as const;

/** Whether a reply has reached the platform that the thread is bound to; nothing in a thread that is not. */
export function DeliveryMark({ message }: { message: Message }) {
  const { model, deliveries } = useTalk();
  const seq = message.thread_seq;
  const isBound = model.thread?.participants.some((each) => each.participant_kind === "external") ?? false;
  const isWanted = isBound && message.role === "assistant" && message.content !== "";
  const delivered = useSyncExternalStore(deliveries.changes.subscribe, () => deliveries.get(seq));
  useEffect(() => {
    if (isWanted) {
      deliveries.want(seq);
    }
  }, [deliveries, isWanted, seq]);
  if (!isWanted || !delivered) {
    return null;
  }
  const { tone, text } = WORDS[delivered.state];
  return (
    <p className="conversation-marks">
      <Badge tone={tone} {...(delivered.problem === null ? {} : { title: delivered.problem })}>
        {text} <bdi>{delivered.source}</bdi>
      </Badge>
    </p>
  );
}

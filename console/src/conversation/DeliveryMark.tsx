import { useEffect, useSyncExternalStore } from "react";
import type { Message } from "@parley/client";
import { DeliveryBadge } from "../ui/DeliveryBadge";
import { useTalk } from "./context";

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
  return (
    <p className="conversation-marks">
      <DeliveryBadge state={delivered.state} source={delivered.source} problem={delivered.problem} />
    </p>
  );
}

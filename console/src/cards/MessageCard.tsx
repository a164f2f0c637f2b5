import { useEffect, useSyncExternalStore } from "react";
import type { Message } from "@parley/client";
import { useTalk } from "../conversation/context";
import { Card } from "./Card";
import { hasHints } from "./schemas";

/** The card that an agent would like to be drawn with a message, if it would. */
export function MessageCard({ message }: { message: Message }) {
  const { cards } = useTalk();
  const seq = message.thread_seq;
  const isWanted = hasHints(message);
  const schema = useSyncExternalStore(cards.changes.subscribe, () => cards.get(seq));
  useEffect(() => {
    if (isWanted) {
      cards.want(seq);
    }
  }, [cards, isWanted, seq]);
  return isWanted && schema ? <Card schema={schema} /> : null;
}

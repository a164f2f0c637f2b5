import { useEffect, useRef, useState } from "react";
import type { Typing } from "@parley/client";
import { useLine } from "../connection/context";
import type { ThreadModel } from "./model/thread-model";

/** If nobody says by then that the thread is followed, it is read without. */
const PATIENCE_MS = 2_000;

interface Following {
  threadId: string;
  model: ThreadModel;
  /** The keys of what is on its way into the thread. */
  pendingKeys: string[];
  onTyping: (typing: Typing) => void;
}

/**
 * Follows a thread for as long as it is open. One that does not exist, or that its reader is not in any more, is followed
 * again as soon as something that was written in it has arrived, or the inbox tells of it.
 */
export function useFollow({ threadId, model, pendingKeys, onTyping }: Following): void {
  const line = useLine();
  const [round, setRound] = useState(0);
  const before = useRef(pendingKeys);

  useEffect(() => {
    const hasArrived = before.current.some((key) => !pendingKeys.includes(key));
    before.current = pendingKeys;
    if (hasArrived && model.state === "new") {
      setRound((number) => number + 1);
    }
  });

  useEffect(
    () =>
      line.onInbox((hint) => {
        const isGone = model.state === "new" || model.state === "lost";
        // Without a hint, one may have been missed.
        if (hint?.thread_id === threadId ? isGone : hint === undefined && model.state === "lost") {
          setRound((number) => number + 1);
        }
      }),
    [line, model, threadId],
  );

  useEffect(() => {
    if (model.state === "new" && round === 0) {
      return undefined;
    }
    model.refresh.open();
    const late = setTimeout(() => void model.join(), PATIENCE_MS);
    const leave = line.watch(threadId, {
      onJoin: () => {
        clearTimeout(late);
        void model.join();
      },
      onEvent: (event) => model.hear(event),
      onTyping,
      onGone: () => {
        clearTimeout(late);
        model.lose();
      },
    });
    return () => {
      clearTimeout(late);
      leave();
      model.leave();
    };
  }, [line, model, threadId, round, onTyping]);
}

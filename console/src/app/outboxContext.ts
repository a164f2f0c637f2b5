import { createContext, useContext, useMemo, useSyncExternalStore } from "react";
import type { Outbox, Pending } from "../composer/outbox";

export const OutboxContext = createContext<Outbox | undefined>(undefined);

export function useOutbox(): Outbox {
  const outbox = useContext(OutboxContext);
  if (outbox === undefined) {
    throw new Error("There is no outbox here.");
  }
  return outbox;
}

/** What is on its way to one thread, oldest first. */
export function usePending(threadId: string): Pending[] {
  const outbox = useOutbox();
  const all = useSyncExternalStore(outbox.subscribe, outbox.pending);
  return useMemo(() => all.filter((each) => each.threadId === threadId), [all, threadId]);
}

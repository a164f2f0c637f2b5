import { createContext, useContext, useSyncExternalStore } from "react";
import type { ThreadView } from "@parley/client";
import type { ThreadListView, ThreadStore } from "./threadStore";

export const ThreadsContext = createContext<ThreadStore | undefined>(undefined);

export function useThreadStore(): ThreadStore {
  const store = useContext(ThreadsContext);
  if (store === undefined) {
    throw new Error("There is no list of threads here.");
  }
  return store;
}

export function useThreadList(): ThreadListView {
  const store = useThreadStore();
  return useSyncExternalStore(store.subscribe, store.view);
}

/** A thread as it is now; undefined while it is not known. */
export function useThread(threadId: string): ThreadView | undefined {
  const store = useThreadStore();
  return useSyncExternalStore(store.subscribe, () => store.thread(threadId));
}

/** Whether the server says that there is no such thread, or none that one may see. */
export function useIsMissing(threadId: string): boolean {
  const store = useThreadStore();
  return useSyncExternalStore(store.subscribe, () => store.isMissing(threadId));
}

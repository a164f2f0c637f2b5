import { useSyncExternalStore } from "react";
import { useLineState } from "../connection/context";

function subscribe(listener: () => void): () => void {
  addEventListener("online", listener);
  addEventListener("offline", listener);
  return () => {
    removeEventListener("online", listener);
    removeEventListener("offline", listener);
  };
}

/** Whether nothing can be sent for now: there is no network, or the server does not answer. */
export function useIsOffline(): boolean {
  const hasNetwork = useSyncExternalStore(subscribe, () => navigator.onLine);
  return useLineState() === "lost" || !hasNetwork;
}

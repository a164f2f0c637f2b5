import { useCallback, useState, useSyncExternalStore } from "react";
import { useTalk } from "./context";

/** Whether something is open in a message's row, and what; in one that has no position yet, as long as it is drawn. */
export function useRowState<T>(seq: number | undefined, name: string): [T | undefined, (value: T | undefined) => void] {
  const { rowStates } = useTalk();
  const [own, setOwn] = useState<T>();
  const kept = useSyncExternalStore(rowStates.changes.subscribe, () =>
    seq === undefined ? undefined : (rowStates.get(seq, name) as T | undefined),
  );
  const set = useCallback(
    (value: T | undefined) => (seq === undefined ? setOwn(value) : rowStates.set(seq, name, value)),
    [rowStates, seq, name],
  );
  return [seq === undefined ? own : kept, set];
}

import { defaultRangeExtractor, type Range } from "@tanstack/react-virtual";
import { useMemo, useSyncExternalStore } from "react";
import { useTalk } from "./context";

/** Which rows are drawn: those in view, and those in which something is open, so that it stays. */
export function useHeldRows(): (range: Range) => number[] {
  const { rowStates } = useTalk();
  const held = useSyncExternalStore(rowStates.changes.subscribe, () => rowStates.held().join(" "));
  return useMemo(() => {
    const indexes = held === "" ? [] : held.split(" ").map((seq) => Number(seq) - 1);
    return (range) => withHeld(defaultRangeExtractor(range), indexes.filter((index) => index < range.count));
  }, [held]);
}

function withHeld(drawn: number[], held: number[]): number[] {
  return held.length === 0 ? drawn : [...new Set([...drawn, ...held])].sort((one, other) => one - other);
}

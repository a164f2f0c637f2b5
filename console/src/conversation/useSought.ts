import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTalk } from "./context";

const LIT_MS = 2_500;

/**
 * Goes once to the message that the address names: at about its place as soon as the thread is there, and to it exactly
 * when it was read. For a moment after that it says which row that is.
 */
export function useSought(seq: number | undefined, goTo: (index: number) => void): number | undefined {
  const { model } = useTalk();
  const [lit, setLit] = useState<number>();
  const found = useRef<number>(undefined);
  const seek = useRef(goTo);
  seek.current = goTo;
  const isThere = seq !== undefined && model.state === "ready" && seq <= model.pages.lastSeq;
  const isRead = isThere && model.pages.row(seq) !== undefined;

  useLayoutEffect(() => {
    if (seq === undefined) {
      found.current = undefined;
    } else if (isThere && found.current !== seq) {
      found.current = isRead ? seq : undefined;
      seek.current(seq - 1);
      setLit(isRead ? seq - 1 : undefined);
    }
  }, [seq, isThere, isRead]);
  useEffect(() => {
    const timer = lit === undefined ? undefined : setTimeout(() => setLit(undefined), LIT_MS);
    return () => clearTimeout(timer);
  }, [lit]);
  return lit;
}

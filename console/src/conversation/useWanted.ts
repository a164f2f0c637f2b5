import { useEffect, useRef } from "react";
import { useTalk } from "./context";

const EVERY_MS = 60;
/** So many rows beyond those in view are read with them. */
const AHEAD = 60;

/** Has the rows read that are in view, a moment later: what is only passed by is not read. */
export function useWanted(first: number, last: number): void {
  const { model } = useTalk();
  const range = useRef({ first, last });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  range.current = { first, last };
  useEffect(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      model.want(range.current.first - AHEAD, range.current.last + AHEAD);
    }, EVERY_MS);
  });
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
}

import type { Parley } from "@parley/client";
import { useEffect, useState } from "react";
import { useParley } from "../../connection/context";
import { measuresOf, type Measures } from "./measures";
import { WINDOW_MS } from "./Sparkline";

const EVERY_MS = 2_000;
/** What was read stays while somebody looks at other pages. */
const kept = new WeakMap<Parley, Measures[]>();

export interface Readings {
  readings: readonly Measures[];
  /** Why the last question got no answer; it is asked again by itself. */
  error: unknown;
}

/** The server's figures, read again and again while the page is seen, for as long as a chart reaches back. */
export function useReadings(): Readings {
  const parley = useParley();
  const [state, setState] = useState<Readings>({ readings: kept.get(parley) ?? [], error: undefined });
  useEffect(() => {
    const gone = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;

    async function read(): Promise<void> {
      clearTimeout(timer);
      if (document.hidden || gone.signal.aborted) {
        return;
      }
      try {
        const now = measuresOf(await parley.operator.figures({ signal: gone.signal }), Date.now());
        const recent = [...(kept.get(parley) ?? []), now].filter((each) => each.at > now.at - WINDOW_MS);
        kept.set(parley, recent);
        setState({ readings: recent, error: undefined });
      } catch (error) {
        if (gone.signal.aborted) {
          return;
        }
        setState((before) => ({ ...before, error }));
      }
      clearTimeout(timer);
      timer = setTimeout(() => void read(), EVERY_MS);
    }

    const onSeen = (): void => void read();
    void read();
    document.addEventListener("visibilitychange", onSeen);
    return () => {
      gone.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onSeen);
    };
  }, [parley]);
  return state;
}

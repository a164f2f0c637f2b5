import { useEffect, useState } from "react";
import type { PlacedEvent } from "@parley/client";
import { useLine, useParley } from "../connection/context";
import { RunReader } from "./runReader";

/** What is known of a run's events. It is another object whenever some came, so what is made of them can be kept by it. */
export interface RunEvents {
  /** Not a copy: the list grows on. */
  placed: readonly PlacedEvent[];
  /** Whether the run's last event is among them. */
  ended: boolean;
  /** The server does not keep them any more. */
  expired: boolean;
  error: unknown;
}

const NONE: RunEvents = { placed: [], ended: false, expired: false, error: undefined };
const GATHER_MS = 100;

/**
 * A run's events from its beginning, and, while it goes on, as they come. They are shown a few times a second, however
 * fast they come.
 */
export function useRunEvents(threadId: string, runId: string, round: number): RunEvents {
  const parley = useParley();
  const line = useLine();
  const [state, setState] = useState(NONE);
  useEffect(() => {
    setState(NONE);
    let timer: number | undefined;
    const source = {
      run: () => parley.runs.get(threadId, runId),
      events: () => parley.runs.follow(threadId, runId),
      watch: line.watch.bind(line, threadId),
    };
    const reader = new RunReader(source, () => {
      timer ??= window.setTimeout(() => {
        timer = undefined;
        const { placed, ended, expired, error } = reader;
        setState({ placed, ended, expired, error });
      }, GATHER_MS);
    });
    void reader.start();
    return () => {
      window.clearTimeout(timer);
      reader.close();
    };
  }, [parley, line, threadId, runId, round]);
  return state;
}

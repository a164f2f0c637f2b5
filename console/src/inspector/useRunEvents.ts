import { useEffect, useState } from "react";
import type { PlacedEvent } from "@parley/client";
import { useParley } from "../connection/context";

export interface RunEvents {
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
  const [state, setState] = useState(NONE);
  useEffect(() => {
    setState(NONE);
    const placed: PlacedEvent[] = [];
    const stream = parley.runs.follow(threadId, runId);
    let timer: number | undefined;
    let over = false;
    let expired = false;
    const show = (rest: Partial<RunEvents> = {}): void => {
      window.clearTimeout(timer);
      timer = undefined;
      if (!over) {
        setState({ placed: placed.slice(), ended: stream.ended, expired, error: undefined, ...rest });
      }
    };
    const read = async (): Promise<void> => {
      for await (const event of stream) {
        if (event.resync !== undefined) {
          expired = true;
          show();
        } else {
          placed.push(event);
          timer ??= window.setTimeout(show, GATHER_MS);
        }
      }
    };
    read().then(
      () => show(),
      (error: unknown) => show({ error }),
    );
    return () => {
      over = true;
      window.clearTimeout(timer);
      stream.close();
    };
  }, [parley, threadId, runId, round]);
  return state;
}

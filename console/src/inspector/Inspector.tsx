import { useEffect, useMemo, useRef, useState } from "react";
import { ParleyError } from "@parley/client";
import { useParley } from "../connection/context";
import { Button } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { Icon } from "../ui/Icon";
import { useLoaded } from "../ui/useLoaded";
import { RunViews } from "./RunViews";
import { useRunEvents } from "./useRunEvents";
import "./inspector.css";

interface InspectorProps {
  threadId: string;
  runId: string;
  compareWith?: string | undefined;
  onClose: () => void;
}

const RUNS = 100;

/** What one run did, when, at what cost, and what its model saw. */
export default function Inspector({ threadId, runId, compareWith, onClose }: InspectorProps) {
  const parley = useParley();
  const [round, setRound] = useState(0);
  const events = useRunEvents(threadId, runId, round);
  const begun = events.placed.length > 0;
  const run = useLoaded((signal) => parley.runs.get(threadId, runId, { signal }), [parley, threadId, runId, begun, events.ended, round]);
  const runs = useLoaded((signal) => parley.runs.list(threadId, { limit: RUNS, signal }), [parley, threadId, runId, events.ended]);
  const thread = useLoaded((signal) => parley.thread(threadId).get({ signal }), [parley, threadId]);
  const names = useMemo(
    () => new Map(thread.value?.participants.map((each) => [each.sender_id, each.display_name])),
    [thread.value],
  );
  const scroller = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    scroller.current?.scrollTo(0, 0);
  }, [runId]);
  // What is shown of another run must not pass for this one's.
  const shown = run.value?.runId === runId || run.value?.taskId === runId ? run.value : undefined;
  const error = run.error ?? events.error;

  return (
    <div
      className="inspector"
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.defaultPrevented) {
          // Or it would stop the run as well.
          event.preventDefault();
          onClose();
        }
      }}
    >
      <header className="inspector-bar">
        <h2 ref={heading} tabIndex={-1}>
          Run
        </h2>
        <Button look="ghost" icon aria-label="Close the run" onClick={onClose}>
          <Icon name="close" />
        </Button>
      </header>
      <div ref={scroller} className="inspector-body">
        {error !== undefined && <Trouble error={error} onRetry={() => setRound(round + 1)} />}
        {shown === undefined ? (
          error === undefined && <p className="empty">Loading…</p>
        ) : (
          <RunViews
            run={shown}
            runs={runs.value?.runs ?? []}
            events={events}
            compareWith={compareWith}
            nameOf={(senderId) => names.get(senderId) ?? senderId}
            scroller={scroller}
          />
        )}
      </div>
    </div>
  );
}

function Trouble({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return error instanceof ParleyError && error.status === 404 ? (
    <p className="empty">There is no such run here.</p>
  ) : (
    <Failure error={error} onRetry={onRetry} />
  );
}

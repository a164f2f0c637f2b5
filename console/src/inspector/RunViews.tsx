import { useMemo, useState, type RefObject } from "react";
import type { PlacedEvent, RunView } from "@parley/client";
import { Events } from "./Events";
import { membersOf } from "./family";
import { Head } from "./Head";
import { Seen } from "./Seen";
import { Tabs } from "./Tabs";
import { Timeline } from "./Timeline";
import { Usage } from "./Usage";
import { usageOf } from "./tokens";
import type { RunEvents } from "./useRunEvents";

interface RunViewsProps {
  run: RunView;
  runs: readonly RunView[];
  events: RunEvents;
  compareWith: string | undefined;
  nameOf: (senderId: string) => string;
  scroller: RefObject<HTMLElement | null>;
}

type View = "timeline" | "events" | "usage" | "seen";

/** A run's head and the four ways of looking at it. */
export function RunViews({ run, runs, events, compareWith, nameOf, scroller }: RunViewsProps) {
  const [view, setView] = useState<View>(compareWith === undefined ? "timeline" : "seen");
  const { runId, rootRunId } = run;
  const members = useMemo(() => membersOf(events.placed), [events]);
  // The list of a whole run is the same however far it has grown, so what is made of it is kept by how long it is.
  const placed = useMemo(() => ownEvents(runId, rootRunId, events.placed), [runId, rootRunId, events]);
  const length = placed.length;
  const gone = events.expired && length === 0;
  return (
    <>
      <Head run={run} runs={runs} nameOf={nameOf} members={members} />
      {gone && <p className="notice">The events of this run are not kept any more.</p>}
      <Tabs<View>
        label="Views of the run"
        chosen={view}
        onChoose={setView}
        tabs={[
          { name: "timeline", label: "Timeline", render: () => <Timeline run={run} placed={placed} length={length} /> },
          {
            name: "events",
            label: "Events",
            render: () => <Events placed={placed} length={length} ended={events.ended || gone} scroller={scroller} />,
          },
          { name: "usage", label: "Usage", render: () => <Usage run={run} usage={usageOf(run, placed.at(-1)?.event)} runs={runs} /> },
          {
            name: "seen",
            label: "What the model saw",
            render: () => <Seen key={run.runId} run={run} runs={runs} compareWith={compareWith} />,
          },
        ]}
      />
    </>
  );
}

/** The stream of a member of a team is that of the whole: only what is the member's own belongs here. */
function ownEvents(runId: string, rootRunId: string | null, placed: readonly PlacedEvent[]): readonly PlacedEvent[] {
  if (rootRunId === null) {
    return placed;
  }
  return placed.filter(({ event }) => "subagentRunId" in event && event.subagentRunId === runId);
}

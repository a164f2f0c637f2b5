import type { ContextItem, RunView } from "@parley/client";
import { useParley } from "../connection/context";
import { useLoaded } from "../ui/useLoaded";
import { SeenMessages } from "./SeenMessages";
import { Withheld } from "./Withheld";

/** What two runs were shown differently: what only the other one saw, and what only this one saw. */
export function Difference({ run, otherRunId }: { run: RunView; otherRunId: string }) {
  const parley = useParley();
  const { value, error, reload } = useLoaded(
    (signal) => parley.runs.contextDiff(run.threadId, run.runId, otherRunId, { signal }),
    [parley, run.threadId, run.runId, otherRunId],
  );
  if (error !== undefined) {
    return <Withheld error={error} onRetry={reload} />;
  }
  if (value === undefined) {
    return <p className="empty">Loading…</p>;
  }
  const differs = value.removed.length + value.added.length > 0;
  return (
    <section className="seen-difference" aria-label="What differs">
      <h3>What differs</h3>
      <Same count={value.same} where="at the beginning" />
      {!differs && <p>Both were shown the same messages.</p>}
      <Side sign="−" title="Only the other run saw" items={value.removed} look="seen-removed" />
      <Side sign="+" title="Only this run saw" items={value.added} look="seen-added" />
      <Same count={value.sameAtEnd} where="at the end" />
      <p className="quiet small">{value.sameTools ? "They had the same tools." : "They had other tools."}</p>
    </section>
  );
}

function Same({ count, where }: { count: number; where: string }) {
  return count === 0 ? null : (
    <p className="quiet small">
      {count === 1 ? "1 message is" : `${count} messages are`} the same {where}.
    </p>
  );
}

interface SideProps {
  sign: string;
  title: string;
  items: ContextItem[];
  look: string;
}

function Side({ sign, title, items, look }: SideProps) {
  return items.length === 0 ? null : (
    <div className={`seen-side ${look}`}>
      <h4>
        <span className="seen-sign" aria-hidden="true">
          {sign}
        </span>{" "}
        {title} ({items.length})
      </h4>
      <SeenMessages messages={items} />
    </div>
  );
}

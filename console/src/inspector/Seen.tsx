import { useState } from "react";
import type { RunContext, RunView } from "@parley/client";
import { goTo, runAddress } from "../app/route";
import { useParley } from "../connection/context";
import { shortTime } from "../ui/time";
import { useLoaded } from "../ui/useLoaded";
import { Difference } from "./Difference";
import { SeenMessages } from "./SeenMessages";
import { SeenTools } from "./SeenTools";
import { countText } from "./tokens";
import { Withheld } from "./Withheld";
import "./seen.css";

interface SeenProps {
  run: RunView;
  runs: readonly RunView[];
  compareWith: string | undefined;
}

/** What an agent was shown before it answered, word for word, and how that differs from another run. */
export function Seen({ run, runs, compareWith }: SeenProps) {
  const parley = useParley();
  const [request, setRequest] = useState<number>();
  const asked = request === undefined ? {} : { request };
  const { value, error, loading, reload } = useLoaded(
    (signal) => parley.runs.context(run.threadId, run.runId, { ...asked, signal }),
    [parley, run.threadId, run.runId, run.state, request],
  );
  if (error !== undefined) {
    return <Withheld error={error} onRetry={reload} />;
  }
  if (value === undefined) {
    return <p className="empty">{loading ? "Loading…" : ""}</p>;
  }
  return (
    <div className="seen">
      <div className="inspector-line">
        {value.requests > 1 && <Requests context={value} onChoose={setRequest} />}
        <CompareWith run={run} runs={runs} chosen={compareWith} />
      </div>
      {compareWith !== undefined && <Difference run={run} otherRunId={compareWith} />}
      <Facts context={value} />
      <SeenTools tools={value.tools} />
      {value.messages.length === 0 ? (
        <p className="empty">It was shown nothing.</p>
      ) : (
        <SeenMessages key={value.request} messages={value.messages} />
      )}
    </div>
  );
}

function Requests({ context, onChoose }: { context: RunContext; onChoose: (request: number) => void }) {
  return (
    <label className="inspector-line">
      <span className="small">Request</span>
      <select value={context.request ?? 0} onChange={(change) => onChoose(Number(change.target.value))}>
        {Array.from({ length: context.requests }, (_, number) => (
          <option key={number} value={number}>
            {number + 1} of {context.requests}
          </option>
        ))}
      </select>
    </label>
  );
}

function CompareWith({ run, runs, chosen }: { run: RunView; runs: readonly RunView[]; chosen: string | undefined }) {
  const others = runs.filter((each) => each.runId !== run.runId && each.rootRunId === null);
  const known = chosen === undefined || others.some((each) => each.runId === chosen);
  return (
    <label className="inspector-line seen-compare">
      <span className="small">Compare with</span>
      <select
        value={chosen ?? ""}
        onChange={(change) => goTo(runAddress(run.threadId, run.runId, change.target.value || undefined))}
      >
        <option value="">no other run</option>
        {!known && <option value={chosen}>{chosen}</option>}
        {others.map((each) => (
          <option key={each.taskId} value={each.runId}>
            {shortTime(each.created)} · {each.state} · {each.runId}
          </option>
        ))}
      </select>
    </label>
  );
}

function Facts({ context }: { context: RunContext }) {
  const { tokens } = context;
  const told = [
    `${context.messages.length} messages`,
    tokens.input === null ? `about ${countText(tokens.estimated)} tokens` : `${countText(tokens.input)} tokens`,
    context.sentBytes === null ? "" : `${countText(context.sentBytes)} bytes sent`,
    context.model === null ? "" : `${context.provider ?? ""} ${context.model}`.trim(),
    context.version === null ? "" : `rules of version ${context.version}`,
  ];
  return (
    <p className="quiet small">
      {told.filter((each) => each !== "").join(" · ")}
      {context.hash !== null && (
        <>
          {" · "}
          <code title={context.hash}>{context.hash.slice(0, 12)}</code>
        </>
      )}
    </p>
  );
}

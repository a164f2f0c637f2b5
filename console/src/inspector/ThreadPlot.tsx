import { useState } from "react";
import type { RunView } from "@parley/client";
import { runAddress } from "../app/route";
import { duration } from "../ui/time";
import { costText, costsOf, countText, tokensOf } from "./tokens";

const MOST = 20;

interface Measure {
  name: string;
  of: (run: RunView) => number;
  text: (value: number, run: RunView) => string;
}

const MEASURES: readonly Measure[] = [
  { name: "Tokens", of: (run) => tokensOf(run.usage), text: (value) => `${countText(value)} tokens` },
  {
    name: "Cost",
    of: (run) => [...costsOf(run.usage).values()].reduce((sum, cost) => sum + cost, 0),
    text: (value, run) => costText(value, run.usage[0]?.currency ?? null),
  },
  {
    name: "Time",
    of: (run) => (run.ended === null ? 0 : Date.parse(run.ended) - Date.parse(run.started ?? run.created)),
    text: (value) => duration(value),
  },
];

/** The newest runs of the thread as columns, this one marked; each leads to its run. */
export function ThreadPlot({ run, runs }: { run: RunView; runs: readonly RunView[] }) {
  const [chosen, setChosen] = useState<string>();
  const shown = newest(run, runs);
  const name = chosen ?? (shown.some((each) => tokensOf(each.usage) > 0) ? "Tokens" : "Time");
  const measure = MEASURES.find((each) => each.name === name)!;
  const most = Math.max(...shown.map(measure.of), Number.MIN_VALUE);
  return (
    <section className="usage-thread" aria-label="Compared with other runs">
      <div className="inspector-line">
        <h3>Compared with other runs</h3>
        <label>
          <span className="unseen">What to compare</span>
          <select value={name} onChange={(change) => setChosen(change.target.value)}>
            {MEASURES.map((each) => (
              <option key={each.name}>{each.name}</option>
            ))}
          </select>
        </label>
      </div>
      <ol className="usage-columns">
        {shown.map((each) => {
          const here = each.runId === run.runId;
          const told = `${each.runId}: ${measure.text(measure.of(each), each)}, ${each.state}`;
          return (
            <li key={each.taskId}>
              <a
                href={runAddress(each.threadId, each.runId)}
                className={here ? "usage-column usage-here" : "usage-column"}
                aria-current={here ? "true" : undefined}
                aria-label={told}
                title={told}
              >
                <span style={{ height: `${(measure.of(each) / most) * 100}%` }} />
              </a>
            </li>
          );
        })}
      </ol>
      <p className="quiet small">
        This run: {measure.text(measure.of(run), run)}. Most: {measure.text(most < 1e-300 ? 0 : most, run)}. Oldest first.
      </p>
    </section>
  );
}

/** Runs of their own, not those within others, and always the one that is looked at. */
function newest(run: RunView, runs: readonly RunView[]): RunView[] {
  const roots = runs.filter((each) => each.rootRunId === null && each.runId !== run.runId).slice(0, MOST - 1);
  return [...roots, run].sort((one, other) => one.created.localeCompare(other.created));
}

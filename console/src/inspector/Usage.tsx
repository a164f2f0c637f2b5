import type { RunUsage, RunView } from "@parley/client";
import { ThreadPlot } from "./ThreadPlot";
import { costText, costsOf, countText, PART_NAMES, PARTS, partsOf, sumOf, tokensOf } from "./tokens";
import "./usage.css";

interface UsageProps {
  run: RunView;
  usage: RunUsage[];
  /** The thread's newest runs. */
  runs: readonly RunView[];
}

/** The tokens and the cost of a run, request by request, and how it compares with others of its thread. */
export function Usage({ run, usage, runs }: UsageProps) {
  return (
    <div className="inspector-usage">
      {usage.length === 0 ? (
        <p className="empty">Nothing was counted: the agent asked no model, or did not tell.</p>
      ) : (
        <>
          <Totals usage={usage} />
          <Requests usage={usage} />
        </>
      )}
      <ThreadPlot run={run} runs={runs} />
    </div>
  );
}

function Totals({ usage }: { usage: RunUsage[] }) {
  const costs = [...costsOf(usage)];
  return (
    <dl className="inspector-facts">
      <div className="inspector-fact">
        <dt className="quiet small">Tokens</dt>
        <dd className="inspector-number">{countText(tokensOf(usage))}</dd>
      </div>
      <div className="inspector-fact">
        <dt className="quiet small">Cost</dt>
        <dd className="inspector-number">
          {costs.length === 0 ? "not known" : costs.map(([currency, cost]) => costText(cost, currency)).join(" + ")}
        </dd>
      </div>
      <div className="inspector-fact">
        <dt className="quiet small">Requests</dt>
        <dd className="inspector-number">{usage.length}</dd>
      </div>
    </dl>
  );
}

/** A table whose rows have a bar each, as long as the request was large. */
function Requests({ usage }: { usage: RunUsage[] }) {
  const most = Math.max(1, ...usage.map((each) => sumOf(partsOf(each))));
  return (
    <div className="usage-scroll" role="region" aria-label="Requests" tabIndex={0}>
      <table className="inspector-table usage-requests">
        <caption className="usage-legend">
          {PARTS.map((part) => (
            <span key={part} className="small">
              <span className={`usage-key usage-${part}`} aria-hidden="true" /> {PART_NAMES[part]}
            </span>
          ))}
        </caption>
        <thead>
          <tr>
            <th scope="col">Request</th>
            {PARTS.map((part) => (
              <th key={part} scope="col">
                {PART_NAMES[part]}
              </th>
            ))}
          </tr>
        </thead>
        {usage.map((each) => (
          <Request key={each.request} usage={each} most={most} />
        ))}
      </table>
    </div>
  );
}

function Request({ usage, most }: { usage: RunUsage; most: number }) {
  const parts = partsOf(usage);
  const model = [usage.provider, usage.model].filter((each) => each !== "").join(" ");
  const cost = usage.cost === null ? "cost not known" : costText(usage.cost, usage.currency);
  return (
    <tbody>
      <tr>
        <th scope="row">{usage.request + 1}</th>
        {PARTS.map((part) => (
          <td key={part}>{countText(parts[part])}</td>
        ))}
      </tr>
      <tr>
        <td colSpan={PARTS.length + 1} className="usage-cell">
          <svg width="100%" height="12" preserveAspectRatio="none" viewBox={`0 0 ${most} 1`} aria-hidden="true">
            {PARTS.map((part, index) => (
              <rect
                key={part}
                className={`usage-${part}`}
                x={PARTS.slice(0, index).reduce((sum, before) => sum + parts[before], 0)}
                width={parts[part]}
                height="1"
              />
            ))}
          </svg>
          <span className="quiet">{[model, cost].filter((each) => each !== "").join(" · ")}</span>
        </td>
      </tr>
    </tbody>
  );
}

import { Failure } from "../../ui/Failure";
import { Facts } from "../Facts";
import type { Measures } from "./measures";
import { CHARTS, isTold, seriesOf, shown, type Chart } from "./series";
import { Sparkline } from "./Sparkline";
import { useReadings } from "./useReadings";
import "./figures.css";

/** How the server is doing right now, and has done for the last five minutes. */
export function FiguresPage() {
  const { readings, error } = useReadings();
  const last = readings.at(-1);
  return (
    <>
      <p className="quiet">The last five minutes, read every two seconds while you look.</p>
      {error !== undefined && <Failure error={error} />}
      {last === undefined ? (
        error === undefined && <p className="empty">Loading…</p>
      ) : (
        <>
          <ul className="figures">
            {CHARTS.filter((chart) => isTold(chart, last)).map((chart) => (
              <Card key={chart.title} chart={chart} readings={readings} />
            ))}
          </ul>
          <Totals last={last} />
        </>
      )}
    </>
  );
}

function Card({ chart, readings }: { chart: Chart; readings: readonly Measures[] }) {
  const points = seriesOf(chart, readings);
  const known = points.flatMap((point) => (point.value === undefined ? [] : [point.value]));
  return (
    <li className="figures-card">
      <div className="figures-head">
        <h2 title={chart.about}>{chart.title}</h2>
        <span className="figures-now">{shown(points.at(-1)?.value, chart.unit)}</span>
      </div>
      <Sparkline title={chart.title} unit={chart.unit} points={points} />
      <p className="figures-about small quiet">
        <span>{chart.about}</span>
        <span>{known.length > 0 && `highest ${shown(Math.max(...known), chart.unit)}`}</span>
      </p>
    </li>
  );
}

function Totals({ last }: { last: Measures }) {
  const mean = last.requests && last.requestSeconds !== undefined ? (last.requestSeconds * 1_000) / last.requests : undefined;
  return (
    <section className="operate-section" aria-labelledby="figures-totals">
      <h2 id="figures-totals">Since the server started</h2>
      <Facts
        facts={[
          ["Messages written", shown(last.entries, "")],
          ["Commits", shown(last.commits, "")],
          ["Runs completed", shown(last.runsCompleted, "")],
          ["Runs failed", shown(last.runsFailed, "")],
          ["Replies delivered", shown(last.repliesSent, "")],
          ["Replies not delivered", shown(last.repliesDead, "")],
          ["Requests answered", shown(last.requests, "")],
          ["Mean answer time", shown(mean, "ms")],
          ["Requests that failed here", shown(last.failures, "")],
          ["Readers cut for being slow", shown(last.slowReaders, "")],
          ["Database reconnects", shown(last.reconnects, "")],
        ]}
      />
    </section>
  );
}

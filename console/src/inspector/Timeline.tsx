import { useEffect, useMemo, useState } from "react";
import type { PlacedEvent, RunView } from "@parley/client";
import { duration } from "../ui/time";
import { axisOf } from "./axis";
import { timesOf, type Span } from "./spans";
import { TimelineChart, type Bar } from "./TimelineChart";
import { spanName } from "./words";
import "./timeline.css";

const MOST_BARS = 300;
const TICK_MS = 500;

interface TimelineProps {
  run: RunView;
  placed: readonly PlacedEvent[];
  /** How many there are by now: the list itself grows. */
  length: number;
}

/** When a run waited, thought, called and spoke, as bars on one axis, and as a table. */
export function Timeline({ run, placed, length }: TimelineProps) {
  const times = useMemo(() => timesOf(placed), [placed, length]);
  const over = run.ended !== null;
  const now = useNow(!over);
  const created = Date.parse(run.created);
  const started = times.started ?? (run.started === null ? undefined : Date.parse(run.started));
  const ended = times.ended ?? (run.ended === null ? now : Date.parse(run.ended));
  const axis = axisOf(created, started ?? ended, ended);
  const waiting: Bar = { key: "waiting", kind: "waiting", name: "Waiting", from: created, to: started ?? ended, depth: 0, failed: false };
  const bars = [waiting, ...times.spans.map((span) => barOf(span, ended))];
  const firstWord = times.firstWord;
  return (
    <div className="inspector-timeline">
      <dl className="inspector-facts">
        <Figure name="Waited" ms={(started ?? ended) - created} />
        {firstWord !== undefined && <Figure name="First word after" ms={firstWord - created} />}
        {started !== undefined && <Figure name={over ? "Worked" : "Has worked"} ms={ended - started} />}
      </dl>
      <TimelineChart axis={axis} bars={bars.slice(0, MOST_BARS)} />
      {bars.length > MOST_BARS && (
        <p className="quiet small">The first {MOST_BARS} of {bars.length} are drawn; the table has all.</p>
      )}
      <details className="inspector-more">
        <summary>As a table</summary>
        <TimesTable bars={bars} created={created} />
      </details>
    </div>
  );
}

function barOf(span: Span, ended: number): Bar {
  return { ...span, name: spanName(span), to: span.to ?? Math.max(ended, span.from), goesOn: span.to === undefined };
}

function Figure({ name, ms }: { name: string; ms: number }) {
  return (
    <div className="inspector-fact">
      <dt className="quiet small">{name}</dt>
      <dd className="inspector-number">{duration(Math.max(0, ms))}</dd>
    </div>
  );
}

function TimesTable({ bars, created }: { bars: Bar[]; created: number }) {
  return (
    <table className="inspector-table">
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">Began after</th>
          <th scope="col">Took</th>
        </tr>
      </thead>
      <tbody>
        {bars.map((bar) => (
          <tr key={bar.key}>
            <th scope="row" dir="auto">
              {bar.name}
              {bar.failed && " (failed)"}
            </th>
            <td>{duration(Math.max(0, bar.from - created))}</td>
            <td>
              {duration(Math.max(0, bar.to - bar.from))}
              {bar.goesOn && ", goes on"}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The time, told again twice a second while something goes on. */
function useNow(live: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!live) {
      return undefined;
    }
    const timer = window.setInterval(() => setNow(Date.now()), TICK_MS);
    return () => window.clearInterval(timer);
  }, [live]);
  return now;
}

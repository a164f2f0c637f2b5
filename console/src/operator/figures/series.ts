import type { Measures } from "./measures";

type Name = Exclude<keyof Measures, "at">;

/** A value at a moment; undefined where it cannot be known, such as across a restart of the server. */
export interface Point {
  at: number;
  value: number | undefined;
}

/** What one chart shows, worked out from a reading and the one before. */
export interface Chart {
  title: string;
  unit: string;
  about: string;
  /** A server that does not tell this has no such chart. */
  needs: Name;
  value: (now: Measures, before: Measures | undefined) => number | undefined;
}

/** How much a counter grew; undefined if it began anew in between. */
function growth(name: Name, now: Measures, before: Measures | undefined): number | undefined {
  const [later, earlier] = [now[name], before?.[name]];
  return later === undefined || earlier === undefined || later < earlier ? undefined : later - earlier;
}

const level =
  (name: Name): Chart["value"] =>
  (now) =>
    now[name];

const perSecond =
  (name: Name): Chart["value"] =>
  (now, before) => {
    const grown = growth(name, now, before);
    return grown === undefined || before === undefined || now.at <= before.at
      ? undefined
      : (grown * 1_000) / (now.at - before.at);
  };

/** The mean time in milliseconds of what happened between the two; undefined if nothing did. */
const meanTime =
  (seconds: Name, count: Name): Chart["value"] =>
  (now, before) => {
    const happened = growth(count, now, before);
    const took = growth(seconds, now, before);
    return happened === undefined || took === undefined || happened === 0 ? undefined : (took * 1_000) / happened;
  };

export const CHARTS: readonly Chart[] = [
  { title: "Messages", unit: "/s", about: "Entries written to the log", needs: "entries", value: perSecond("entries") },
  { title: "Lane queue", unit: "", about: "Waiting to be written", needs: "laneQueue", value: level("laneQueue") },
  {
    title: "Commit time",
    unit: "ms",
    about: "Mean of the lanes' transactions",
    needs: "commits",
    value: meanTime("commitSeconds", "commits"),
  },
  { title: "Runs active", unit: "", about: "Agents at work", needs: "runsActive", value: level("runsActive") },
  { title: "Runs queued", unit: "", about: "Not begun yet", needs: "runsQueued", value: level("runsQueued") },
  { title: "Runs paused", unit: "", about: "By the program that drives them", needs: "runsWaiting", value: level("runsWaiting") },
  { title: "Open streams", unit: "", about: "Connections that follow", needs: "streams", value: level("streams") },
  { title: "Requests", unit: "/s", about: "Without this page's own", needs: "requests", value: perSecond("requests") },
  {
    title: "Answer time",
    unit: "ms",
    about: "Mean of the requests",
    needs: "requests",
    value: meanTime("requestSeconds", "requests"),
  },
  { title: "Replies on their way", unit: "", about: "To chat platforms", needs: "repliesOpen", value: level("repliesOpen") },
  { title: "In flight", unit: "", about: "Requests being answered", needs: "inFlight", value: level("inFlight") },
];

/** A chart's points, one for each reading. */
export function seriesOf(chart: Chart, readings: readonly Measures[]): Point[] {
  return readings.map((now, index) => ({ at: now.at, value: chart.value(now, readings[index - 1]) }));
}

/** Whether the server tells what the chart is drawn of. */
export function isTold(chart: Chart, last: Measures): boolean {
  return last[chart.needs] !== undefined;
}

/** A number as it is read at a glance. */
export function shown(value: number | undefined, unit: string): string {
  if (value === undefined) {
    return "–";
  }
  const digits = value !== 0 && value < 10 && !Number.isInteger(value) ? 1 : 0;
  const number = value.toLocaleString(undefined, { maximumFractionDigits: digits, minimumFractionDigits: digits });
  return unit === "" ? number : unit.startsWith("/") ? `${number}${unit}` : `${number} ${unit}`;
}

import type { Figures } from "@parley/client";

/** What the page shows of the server's figures. What a server does not tell is undefined. */
export interface Measures {
  /** When it was read, in milliseconds. */
  at: number;
  entries: number | undefined;
  laneQueue: number | undefined;
  commits: number | undefined;
  commitSeconds: number | undefined;
  runsActive: number | undefined;
  runsQueued: number | undefined;
  /** Those from outside that their driver has paused. */
  runsWaiting: number | undefined;
  runsCompleted: number | undefined;
  runsFailed: number | undefined;
  repliesOpen: number | undefined;
  repliesSent: number | undefined;
  repliesDead: number | undefined;
  streams: number | undefined;
  requests: number | undefined;
  requestSeconds: number | undefined;
  failures: number | undefined;
  inFlight: number | undefined;
  slowReaders: number | undefined;
  reconnects: number | undefined;
}

type Labels = Readonly<Record<string, string>>;

/** The sum over all samples that count; undefined if the server does not tell the figure at all. */
function sum(figures: Figures, name: string, counts: (labels: Labels) => boolean = () => true): number | undefined {
  const samples = figures.get(name);
  return samples?.filter((each) => counts(each.labels)).reduce((total, each) => total + each.value, 0);
}

/** This page's own questions would be all that is seen of a server that does nothing. */
const isOthers = (labels: Labels): boolean => labels["route"] !== "/metrics";
const isFailure = (labels: Labels): boolean => isOthers(labels) && (labels["status"] ?? "").startsWith("5");

const isIn =
  (...states: string[]) =>
  (labels: Labels): boolean =>
    states.includes(labels["state"] ?? "");

/** Takes from the figures what is shown. */
export function measuresOf(figures: Figures, at: number): Measures {
  return {
    at,
    entries: sum(figures, "parley_log_entries_total"),
    laneQueue: sum(figures, "parley_lane_queue"),
    commits: sum(figures, "parley_lane_transaction_seconds_count"),
    commitSeconds: sum(figures, "parley_lane_transaction_seconds_sum"),
    runsActive: sum(figures, "parley_runs", isIn("running")),
    runsQueued: sum(figures, "parley_runs", isIn("queued")),
    runsWaiting: sum(figures, "parley_runs", isIn("waiting")),
    runsCompleted: sum(figures, "parley_runs_ended_total", isIn("completed")),
    runsFailed: sum(figures, "parley_runs_ended_total", isIn("failed")),
    repliesOpen: sum(figures, "parley_deliveries", isIn("waiting", "sending")),
    repliesSent: sum(figures, "parley_deliveries_ended_total", isIn("sent")),
    repliesDead: sum(figures, "parley_deliveries_ended_total", isIn("dead", "uncertain")),
    streams: sum(figures, "parley_sse_open"),
    requests: sum(figures, "parley_http_requests_seconds_count", isOthers),
    requestSeconds: sum(figures, "parley_http_requests_seconds_sum", isOthers),
    failures: sum(figures, "parley_http_requests_seconds_count", isFailure),
    inFlight: sum(figures, "parley_http_in_flight"),
    slowReaders: sum(figures, "parley_sse_slow_readers_cut_total"),
    reconnects: sum(figures, "parley_lane_reconnects_total"),
  };
}

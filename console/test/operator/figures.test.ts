import { parseFigures } from "@parley/client";
import { expect, test } from "vitest";
import { measuresOf, type Measures } from "../../src/operator/figures/measures";
import { CHARTS, isTold, seriesOf, shown, type Chart } from "../../src/operator/figures/series";

const chart = (title: string): Chart => CHARTS.find((each) => each.title === title) as Chart;
const reading = (at: number, lines: string): Measures => measuresOf(parseFigures(lines), at);
const values = (title: string, readings: Measures[]) => seriesOf(chart(title), readings).map((each) => each.value);

test("a counter becomes a rate, by the time that really passed", () => {
  const readings = [0, 2_000, 6_000].map((at, index) => reading(at, `parley_log_entries_total ${[10, 30, 30][index]}`));
  expect(values("Messages", readings)).toEqual([undefined, 10, 0]);
});

test("a server that was started again leaves a gap, not a fall", () => {
  const readings = [reading(0, "parley_log_entries_total 500"), reading(1_000, "parley_log_entries_total 3")];
  expect(values("Messages", readings)).toEqual([undefined, undefined]);
});

test("times are means of what happened since, and unknown while nothing does", () => {
  const lines = (count: number, seconds: number) =>
    `parley_http_requests_seconds_count{route="/a",status="2xx"} ${count}\n` +
    `parley_http_requests_seconds_sum{route="/a",status="2xx"} ${seconds}\n` +
    `parley_http_requests_seconds_count{route="/metrics",status="2xx"} ${count * 100}\n` +
    `parley_http_requests_seconds_sum{route="/metrics",status="2xx"} 77`;
  const readings = [reading(0, lines(1, 1)), reading(1_000, lines(5, 1.2)), reading(2_000, lines(5, 1.2))];
  const [first, second, third] = values("Answer time", readings);
  expect([first, third]).toEqual([undefined, undefined]);
  expect(second).toBeCloseTo(50);
  expect(values("Requests", readings)).toEqual([undefined, 4, 0]);
});

test("levels add up over lanes, failures are the server's own", () => {
  const now = reading(0, 'parley_lane_queue{lane="0"} 2\nparley_lane_queue{lane="1"} 3\n' +
    'parley_http_requests_seconds_count{status="4xx"} 9\nparley_http_requests_seconds_count{status="5xx"} 1');
  expect(values("Lane queue", [now])).toEqual([5]);
  expect(now.failures).toBe(1);
});

test("runs and replies are told by their state", () => {
  const runs = ["queued", "running", "waiting"].map((state, index) => `parley_runs{state="${state}"} ${index + 1}`);
  const replies = ["waiting", "sending", "dead"].map((state) => `parley_deliveries{state="${state}"} 4`);
  const now = reading(0, [...runs, ...replies].join("\n"));
  const titles = ["Runs queued", "Runs active", "Runs paused", "Replies on their way"];
  expect(titles.map((title) => values(title, [now]))).toEqual([[1], [2], [3], [8]]);
});

test("what the server does not tell is not drawn", () => {
  const now = reading(0, "parley_sse_open 0");
  expect(CHARTS.filter((each) => isTold(each, now)).map((each) => each.title)).toEqual(["Open streams"]);
});

test("numbers are short", () => {
  expect([shown(undefined, "/s"), shown(0, "/s"), shown(2.345, "/s"), shown(12.6, "ms"), shown(3, "")]).toEqual([
    "–",
    "0/s",
    "2.3/s",
    "13 ms",
    "3",
  ]);
});

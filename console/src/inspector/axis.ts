/** Where a timeline begins and ends, and where its lines stand. Times are milliseconds of the epoch. */
export interface Axis {
  from: number;
  to: number;
  /** Milliseconds after `from`, at round steps. */
  ticks: number[];
}

/**
 * The axis of a run. One that waited far longer than it worked would be a thin line at the end of it; then only the last
 * part of the wait is shown.
 */
export function axisOf(created: number, started: number, ended: number): Axis {
  const took = Math.max(1, ended - started);
  const from = started - created > 2 * took ? started - took / 4 : created;
  const to = Math.max(ended, from + 1);
  return { from, to, ticks: ticksOf(to - from) };
}

/** At most six round steps: 1, 2 or 5 times a power of ten, or of a minute. */
export function ticksOf(length: number): number[] {
  const rough = length / 5;
  const unit = rough >= 60_000 ? 60_000 : 1;
  const power = 10 ** Math.floor(Math.log10(Math.max(rough / unit, 1)));
  const factor = [1, 2, 5, 10].find((each) => each * power * unit >= rough) ?? 10;
  const step = factor * power * unit;
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, index) => index * step);
}

/** A tick's words: whole units, since steps are round. */
export function tickText(ms: number): string {
  if (ms === 0) {
    return "0";
  }
  if (ms < 1_000) {
    return `${ms} ms`;
  }
  return ms < 60_000 ? `${ms / 1_000} s` : `${Math.round(ms / 6_000) / 10} min`;
}

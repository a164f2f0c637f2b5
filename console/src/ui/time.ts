/** Times as people write them, in their own language and time zone. */
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const date = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const fullDate = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

export const clockTime = (iso: string): string => clock.format(new Date(iso));
export const exactTime = (iso: string): string => exact.format(new Date(iso));
export const longDay = (iso: string): string => fullDate.format(new Date(iso));

/** The day as a key that is equal for all times of that day, here. */
export const dayOf = (iso: string): string => new Date(iso).toDateString();

/** The time of today, else the date. */
export function shortTime(iso: string, now: Date = new Date()): string {
  return dayOf(iso) === now.toDateString() ? clockTime(iso) : date.format(new Date(iso));
}

/** How long something took. */
export function duration(ms: number): string {
  if (ms < 1_000) {
    return `${Math.round(ms)} ms`;
  }
  return ms < 60_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}

import { exactTime, shortTime } from "../ui/time";

/** A moment, shortly; the exact one is its title. */
export function Time({ at, none = "–" }: { at: string | null; none?: string }) {
  return at === null ? (
    <span className="quiet">{none}</span>
  ) : (
    <time dateTime={at} title={exactTime(at)}>
      {shortTime(at)}
    </time>
  );
}

import { exactTime, shortTime } from "../ui/time";

interface TimeProps {
  at: string | null;
  none?: string;
  /** Shows day and second as well. */
  exact?: boolean;
}

/** A moment, shortly; the exact one is its title. */
export function Time({ at, none = "–", exact = false }: TimeProps) {
  return at === null ? (
    <span className="quiet">{none}</span>
  ) : (
    <time dateTime={at} title={exactTime(at)}>
      {exact ? exactTime(at) : shortTime(at)}
    </time>
  );
}

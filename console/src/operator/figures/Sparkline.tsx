import { duration } from "../../ui/time";
import { shown, type Point } from "./series";

export const WINDOW_MS = 5 * 60 * 1_000;
/** A line that has just begun is not stretched over all of the width. */
const SHORTEST_MS = 60 * 1_000;
const WIDTH = 300;
const HEIGHT = 56;

interface SparklineProps {
  title: string;
  unit: string;
  points: readonly Point[];
}

/** One figure over the time that is known, at most five minutes, as a line; and the same said in words. */
export function Sparkline({ title, unit, points }: SparklineProps) {
  const known = points.flatMap((point) => (point.value === undefined ? [] : [point.value]));
  const highest = Math.max(0, ...known);
  const lowest = known.length === 0 ? 0 : Math.min(...known);
  const said =
    known.length === 0
      ? `${title}: nothing known yet`
      : `${title}: now ${shown(points.at(-1)?.value, unit)}, between ${shown(lowest, unit)} and ${shown(highest, unit)}`;
  return (
    <svg
      className="figures-line"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${said}, over the last ${duration(spanOf(points))}`}
    >
      {pieces(points, highest || 1).map((piece, index) => (
        <g key={index}>
          <path className="figures-area" d={`${piece.line} L${piece.end} ${HEIGHT} L${piece.begin} ${HEIGHT} Z`} />
          <path className="figures-stroke" d={piece.line} vectorEffect="non-scaling-stroke" />
        </g>
      ))}
    </svg>
  );
}

function spanOf(points: readonly Point[]): number {
  return (points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0);
}

interface Piece {
  line: string;
  begin: number;
  end: number;
}

/** What is known, without a line over what is not. The right edge is the latest reading. */
function pieces(points: readonly Point[], highest: number): Piece[] {
  const now = points.at(-1)?.at ?? 0;
  const span = Math.max(spanOf(points), SHORTEST_MS);
  const x = (at: number): number => Math.round((WIDTH - ((now - at) / span) * WIDTH) * 10) / 10;
  const y = (value: number): number => Math.round((HEIGHT - 3 - (value / highest) * (HEIGHT - 6)) * 10) / 10;
  const found: { at: number; value: number }[][] = [[]];
  for (const { at, value } of points) {
    if (value === undefined) {
      found.push([]);
    } else {
      found.at(-1)?.push({ at, value });
    }
  }
  return found.flatMap((piece) => {
    const [first, last] = [piece[0], piece.at(-1)];
    if (first === undefined || last === undefined) {
      return [];
    }
    const begin = Math.min(x(first.at), WIDTH - 2);
    const rest = piece.slice(1).map((each) => `L${x(each.at)} ${y(each.value)}`);
    return [{ line: [`M${begin} ${y(first.value)}`, ...rest, `L${x(last.at)} ${y(last.value)}`].join(" "), begin, end: x(last.at) }];
  });
}

import { useLayoutEffect, useRef, useState } from "react";
import { duration } from "../ui/time";
import { tickText, type Axis } from "./axis";
import type { SpanKind } from "./spans";

export interface Bar {
  key: string;
  kind: SpanKind | "waiting";
  name: string;
  from: number;
  to: number;
  calledAt?: number | undefined;
  depth: number;
  failed: boolean;
  goesOn?: boolean;
}

const ROW = 26;
const HEAD = 22;
const THICK = 12;
const THINNEST = 3;

/** Names at one side, bars on a common axis, and how long each took. The table beside it is for those who cannot see. */
export function TimelineChart({ axis, bars }: { axis: Axis; bars: Bar[] }) {
  const drawing = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(240);
  useLayoutEffect(() => {
    const element = drawing.current;
    if (element === null) {
      return undefined;
    }
    const observer = new ResizeObserver(() => setWidth(Math.max(60, element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const height = HEAD + bars.length * ROW;
  const scale = (at: number): number => (Math.min(Math.max(at - axis.from, 0), axis.to - axis.from) / (axis.to - axis.from)) * width;
  return (
    <div className="timeline" aria-hidden="true">
      <ul className="timeline-names">
        {bars.map((bar) => (
          <li key={bar.key} className="ellipsis" title={bar.name} dir="auto" style={{ paddingInlineStart: bar.depth * 10 }}>
            {bar.name}
          </li>
        ))}
      </ul>
      <div ref={drawing} className="timeline-drawing" dir="ltr" style={{ height }}>
        <svg width={width} height={height}>
          {axis.ticks.map((tick) => (
            <Tick key={tick} at={scale(axis.from + tick)} text={tickText(tick)} width={width} height={height} />
          ))}
          {bars.map((bar, index) => (
            <Drawn key={bar.key} bar={bar} top={HEAD + index * ROW + (ROW - THICK) / 2} scale={scale} width={width} />
          ))}
        </svg>
      </div>
      <ul className="timeline-lengths">
        {bars.map((bar) => (
          <li key={bar.key}>{duration(Math.max(0, bar.to - bar.from))}</li>
        ))}
      </ul>
    </div>
  );
}

/** A line of the axis; its words are left out where they would run over the edge. */
function Tick({ at, text, width, height }: { at: number; text: string; width: number; height: number }) {
  return (
    <>
      <line className="timeline-tick" x1={at + 0.5} x2={at + 0.5} y1={HEAD - 6} y2={height} />
      {at + text.length * 7 < width && (
        <text className="timeline-text" x={at + 3} y={HEAD - 8}>
          {text}
        </text>
      )}
    </>
  );
}

interface DrawnProps {
  bar: Bar;
  top: number;
  scale: (at: number) => number;
  width: number;
}

/** A bar; of a call, the paler part is the time in which its arguments were written. */
function Drawn({ bar, top, scale, width }: DrawnProps) {
  const from = Math.min(scale(bar.from), width - THINNEST);
  const length = Math.max(THINNEST, scale(bar.to) - from);
  const written = bar.calledAt === undefined ? 0 : Math.min(length, scale(bar.calledAt) - from);
  const looks = `timeline-bar timeline-${bar.kind}${bar.failed ? " timeline-failed" : ""}`;
  return (
    <g className={looks}>
      <rect x={from} y={top} width={length} height={THICK} rx={3} />
      {written > 1 && <rect className="timeline-written" x={from + 1} y={top + 1} width={written - 1} height={THICK - 2} />}
    </g>
  );
}

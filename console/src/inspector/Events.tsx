import { useLayoutEffect, useMemo, useRef, useState, type RefObject } from "react";
import { useVirtualizer } from "@tanstack/react-virtual";
import type { PlacedEvent } from "@parley/client";
import { CopyButton } from "../ui/CopyButton";
import { Icon } from "../ui/Icon";
import { EventRow } from "./EventRow";
import "./events.css";

interface EventsProps {
  placed: readonly PlacedEvent[];
  /** How many there are by now: the list itself grows. */
  length: number;
  ended: boolean;
  /** What scrolls; the list stands somewhere in it. */
  scroller: RefObject<HTMLElement | null>;
}

const ROW_HEIGHT = 34;

/** A run's events in their order, however many: only those in sight are in the page. */
export function Events({ placed, length, ended, scroller }: EventsProps) {
  const [type, setType] = useState("");
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const counts = useMemo(() => countsOf(placed), [placed, length]);
  const shown = useMemo(
    () => (type === "" ? placed : placed.filter(({ event }) => event.type === type)),
    [placed, length, type],
  );
  const list = useRef<HTMLDivElement>(null);
  const margin = useDistance(list);
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => shown[index]?.position ?? index,
    scrollMargin: margin,
    overscan: 12,
  });
  const began = placed[0]?.event.timestamp;

  function toggle(position: number): void {
    setOpen((before) => {
      const after = new Set(before);
      return after.delete(position) ? after : after.add(position);
    });
  }

  return (
    <div className="inspector-events">
      <div className="inspector-line">
        <label>
          <span className="unseen">Type</span>
          <select value={type} onChange={(change) => setType(change.target.value)}>
            <option value="">All types ({length})</option>
            {[...counts].map(([name, count]) => (
              <option key={name} value={name}>
                {name} ({count})
              </option>
            ))}
          </select>
        </label>
        <CopyButton
          icon={<Icon name="copy" />}
          label="Copy as JSON lines"
          text={() => shown.map(({ event }) => JSON.stringify(event)).join("\n")}
        />
        {!ended && <span className="quiet small">More may come</span>}
      </div>
      <div ref={list} role="list" aria-label="Events" className="inspector-rows" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const each = shown[item.index];
          return (
            each && (
              <div
                key={item.key}
                role="listitem"
                aria-setsize={shown.length}
                aria-posinset={item.index + 1}
                ref={virtual.measureElement}
                data-index={item.index}
                className="inspector-row"
                style={{ transform: `translateY(${item.start - margin}px)` }}
              >
                <EventRow placed={each} began={began} open={open.has(each.position)} onToggle={() => toggle(each.position)} />
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}

/** How many there are of each type. */
function countsOf(placed: readonly PlacedEvent[]): Map<string, number> {
  const counts = new Map<string, number>();
  placed.forEach(({ event }) => counts.set(event.type, (counts.get(event.type) ?? 0) + 1));
  return counts;
}

/** How far below the beginning of what scrolls an element stands. */
function useDistance(element: RefObject<HTMLElement | null>): number {
  const [distance, setDistance] = useState(0);
  // What stands above may grow with every rendering.
  useLayoutEffect(() => setDistance(element.current?.offsetTop ?? 0));
  return distance;
}

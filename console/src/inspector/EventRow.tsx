import { memo, useId } from "react";
import type { PlacedEvent } from "@parley/client";
import { duration } from "../ui/time";
import { eventText } from "./words";

interface EventRowProps {
  placed: PlacedEvent;
  /** When the run's first event was. */
  began: number | undefined;
  open: boolean;
  onToggle: () => void;
}

const LONGEST_LINE = 200;

/** One event in a line; all of it as JSON once it is opened. */
export const EventRow = memo(function EventRow({ placed, began, open, onToggle }: EventRowProps) {
  const id = useId();
  const { event, position } = placed;
  const after = event.timestamp === undefined || began === undefined ? "" : `+${duration(event.timestamp - began)}`;
  return (
    <>
      <button type="button" className="inspector-event" aria-expanded={open} aria-controls={open ? id : undefined} onClick={onToggle}>
        <span className="inspector-position">{position}</span>
        <span className="inspector-after">{after}</span>
        <span className="inspector-type">{event.type}</span>
        <span className="inspector-summary ellipsis" dir="auto">
          {eventText(event).slice(0, LONGEST_LINE)}
        </span>
      </button>
      {open && (
        <pre id={id} className="inspector-json" dir="ltr" tabIndex={0}>
          {JSON.stringify(event, null, 2)}
        </pre>
      )}
    </>
  );
}, (before, after) => before.placed === after.placed && before.open === after.open && before.began === after.began);

/**
 * A place in a thread's event stream: after entry `seq`, or after what happened at `position` between that entry and
 * the next. Written as the event id, `12` or `12-457`.
 */
export interface Cursor {
  readonly seq: number;
  readonly position: number;
}

/** Undefined unless the text is an event id. */
export function parseCursor(eventId: string): Cursor | undefined {
  const form = /^([0-9]{1,15})(?:-([0-9]{1,15}))?$/.exec(eventId);
  return form === null ? undefined : { seq: Number(form[1]), position: Number(form[2] ?? 0) };
}

export function cursorText(cursor: Cursor): string {
  return cursor.position === 0 ? String(cursor.seq) : `${cursor.seq}-${cursor.position}`;
}

export function compareCursors(cursor: Cursor, other: Cursor): number {
  return cursor.seq - other.seq || cursor.position - other.position;
}

/** Whether an event with this id may come directly after another: entries are dense, positions only grow. */
export function cursorFollows(cursor: Cursor, earlier: Cursor): boolean {
  return cursor.position === 0
    ? cursor.seq === earlier.seq + 1
    : cursor.seq === earlier.seq && cursor.position > earlier.position;
}

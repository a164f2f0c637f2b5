import type { Participant } from "@parley/client";

/** A name that is being written behind an `@`. */
export interface Mentioning {
  /** Where the `@` stands. */
  start: number;
  query: string;
}

const MOST = 6;

/** What is being mentioned at the caret, if anything is. */
export function mentioningAt(text: string, caret: number): Mentioning | undefined {
  const found = /(?:^|\s)@([^@\n]{0,60})$/u.exec(text.slice(0, caret));
  return found === null ? undefined : { start: caret - found[1]!.length - 1, query: found[1]! };
}

/**
 * The participants that a query may mean: names that begin with it, then names that contain it. After a whole name and a
 * space there are none. The writer is never among them.
 */
export function candidatesFor(query: string, participants: readonly Participant[], writer: string): Participant[] {
  const wanted = query.toLowerCase();
  const named = participants.filter((each) => each.display_name.trim() !== "" && each.sender_id !== writer);
  if (/\s$/u.test(query) && named.some((each) => each.display_name.toLowerCase() === wanted.trimEnd())) {
    return [];
  }
  const starting = named.filter((each) => each.display_name.toLowerCase().startsWith(wanted));
  const containing = named.filter((each) => !starting.includes(each) && each.display_name.toLowerCase().includes(wanted));
  return [...starting, ...containing].slice(0, MOST);
}

/** The text with the name put in, and where the caret goes. */
export function withMention(text: string, caret: number, { start }: Mentioning, name: string): [string, number] {
  const before = `${text.slice(0, start)}@${name} `;
  return [before + text.slice(caret), before.length];
}

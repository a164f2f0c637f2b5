import type { PlacedEvent, RunView } from "@parley/client";

/** A run and those that it had others do. */
export interface Branch {
  runId: string;
  /** Undefined if it is not among the runs that were read. */
  run: RunView | undefined;
  children: Branch[];
}

/** A member of a team, as it was announced when it began. */
export interface Member {
  name: string;
  /** The member that it works for; undefined if that is the run itself. */
  worksFor: string | undefined;
}

/** The members of a team by their run's id. */
export function membersOf(placed: readonly PlacedEvent[]): Map<string, Member> {
  const members = new Map<string, Member>();
  for (const { event } of placed) {
    if (event.type === "SUBAGENT_STARTED") {
      members.set(event.subagentRunId, { name: event.name, worksFor: event.parentSubagentRunId });
    }
  }
  return members;
}

/**
 * The runs that a run had others do, oldest first. All of a team have the same root; who works for whom is said only by
 * the events, as they also name members whose runs were not read. A parent that a client names is none of this: see
 * `namedBy`.
 */
export function childrenOf(run: RunView, runs: readonly RunView[], members: ReadonlyMap<string, Member>): Branch[] {
  const root = run.rootRunId ?? run.runId;
  const read = new Map(runs.filter((each) => each.rootRunId === root).sort(byAge).map((each) => [each.runId, each]));
  const team = [...new Set([...members.keys(), ...read.keys()])];
  const below = (runId: string, above: readonly string[]): Branch[] =>
    team
      .filter((each) => (members.get(each)?.worksFor ?? root) === runId && !above.includes(each))
      .map((each) => ({ runId: each, run: read.get(each), children: below(each, [...above, each]) }));
  return below(run.runId, [run.runId]);
}

/** The runs whose clients named this one as their parent, oldest first. */
export function namedBy(run: RunView, runs: readonly RunView[]): RunView[] {
  return runs.filter((each) => each.rootRunId === null && each.parentRunId === run.runId).sort(byAge);
}

const byAge = (one: RunView, other: RunView): number => one.created.localeCompare(other.created);

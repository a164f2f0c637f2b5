import type { RunView } from "@parley/client";

/** A run and those that it had others do. */
export interface Branch {
  run: RunView;
  children: Branch[];
}

/** The runs that a run brought forth, oldest first. */
export function childrenOf(runId: string, runs: readonly RunView[], above: readonly string[] = []): Branch[] {
  return runs
    .filter((run) => run.parentRunId === runId && !above.includes(run.runId))
    .sort((one, other) => one.created.localeCompare(other.created))
    .map((run) => ({ run, children: childrenOf(run.runId, runs, [...above, runId]) }));
}

import type { Interrupt, Message, RunOutcome, RunState, RunView } from "@parley/client";
import type { Pending } from "../../composer/outbox";

/** A run that is going on, or will. */
export interface OpenRun {
  runId: string;
  agent: string | undefined;
  state: RunState;
  /** The stages that it and the members of its team are in. */
  stages: ReadonlyMap<string, string>;
}

export interface Failure {
  code: string | undefined;
  message: string;
}

/** A run that did not simply answer. */
export interface RunNotice {
  runId: string;
  agent: string | undefined;
  kind: "failed" | "stopped" | "question";
  failure: Failure | undefined;
  interrupts: Interrupt[];
  /** Its questions that nobody has answered yet. */
  openIds: string[];
  triggers: number[];
  /** The message that it should have answered, as far as it was read. */
  asked?: Message | undefined;
}

interface EndedRun {
  agent: string | undefined;
  state: RunState;
  outcome: RunOutcome | undefined;
  failure: Failure | undefined;
  triggers: number[];
  openIds: string[];
}

const OVER = new Set<RunState>(["completed", "failed", "cancelled"]);

/** Where the runs of a thread stand: who is answering, and how those ended that did not end well. */
export class RunBook {
  readonly #open = new Map<string, OpenRun>();
  readonly #ended = new Map<string, EndedRun>();
  readonly #agents = new Map<string, string>();
  /** Questions to which an answer is on its way. */
  readonly #answering = new Set<string>();

  agentOf(runId: string | undefined): string | undefined {
    return runId === undefined ? undefined : this.#agents.get(runId);
  }

  /** The messages that a run answers; a run that was only heard does not say it. */
  triggersOf(runId: string): readonly number[] {
    return this.#ended.get(runId)?.triggers ?? [];
  }

  open(): OpenRun[] {
    return [...this.#open.values()];
  }

  /** The one to be stopped: what is being answered, else what comes next. */
  current(): OpenRun | undefined {
    return this.open().find((run) => run.state === "running") ?? this.open()[0];
  }

  /** Takes runs as they were read, the newest first. */
  note(runs: readonly RunView[]): void {
    for (const run of runs.filter((each) => each.rootRunId === null)) {
      this.#agents.set(run.runId, run.agent);
      if (run.ended === null) {
        this.begin(run.runId, run.state);
      } else {
        interruptsOf(run.outcome as RunOutcome | null).forEach(({ id }) => this.#answering.delete(id));
        this.#open.delete(run.runId);
        this.#ended.set(run.runId, {
          agent: run.agent,
          state: run.state,
          outcome: (run.outcome ?? undefined) as RunOutcome | undefined,
          failure: run.error === null ? undefined : { code: run.error.code ?? undefined, message: run.error.message },
          triggers: run.triggers,
          openIds: run.openInterrupts,
        });
      }
    }
  }

  /** A run begins or waits; one that is over stays so. */
  begin(runId: string, state: RunState): void {
    if (!this.#ended.has(runId)) {
      const stages = this.#open.get(runId)?.stages ?? new Map<string, string>();
      this.#open.set(runId, { runId, agent: this.#agents.get(runId), state, stages });
    }
  }

  /** Takes what is on its way: a question that is being answered is not asked any more, unless the answer is refused. */
  expect(pending: readonly Pick<Pending, "resume" | "refusal">[]): void {
    for (const { resume = [], refusal } of pending) {
      resume.forEach(({ interruptId: id }) => (refusal === undefined ? this.#answering.add(id) : this.#answering.delete(id)));
    }
  }

  /** Whether any run has asked something, so that another one may answer it. */
  hasAsked(): boolean {
    return [...this.#ended.values()].some(({ outcome }) => outcome?.type === "interrupt");
  }

  /** The runs whose questions are open. */
  waiting(): string[] {
    return [...this.#ended].flatMap(([runId, { openIds }]) => (openIds.length > 0 ? [runId] : []));
  }

  /** A run, or a member of its team, enters a stage, or leaves it. */
  step(runId: string, stage: string | undefined, member = ""): void {
    const run = this.#open.get(runId);
    if (run !== undefined) {
      const stages = new Map(run.stages);
      stages.delete(member);
      if (stage !== undefined) {
        stages.set(member, stage);
      }
      this.#open.set(runId, { ...run, stages });
    }
  }

  /** Takes what the thread says of a run; how one ended is told by the run itself, unless it never began. */
  update(runId: string, agent: string | undefined, state: RunState): void {
    if (agent !== undefined) {
      this.#agents.set(runId, agent);
    }
    if (OVER.has(state)) {
      if (this.#open.has(runId)) {
        this.end(runId, state);
      }
    } else {
      this.begin(runId, this.#open.get(runId)?.state === "running" && state === "queued" ? "running" : state);
    }
  }

  end(runId: string, state: RunState, outcome?: RunOutcome, failure?: Failure): void {
    this.#open.delete(runId);
    const known = this.#ended.get(runId);
    this.#ended.set(runId, {
      agent: this.#agents.get(runId),
      state,
      outcome: outcome ?? known?.outcome,
      failure: failure ?? known?.failure,
      triggers: known?.triggers ?? [],
      openIds: known?.openIds ?? interruptsOf(outcome).map(({ id }) => id),
    });
  }

  /** What has to be said of runs that are over. */
  notices(): RunNotice[] {
    return [...this.#ended].flatMap(([runId, run]) => {
      const kind = kindOf(run);
      const interrupts = interruptsOf(run.outcome);
      const { agent, failure, triggers } = run;
      const openIds = run.openIds.filter((id) => !this.#answering.has(id));
      return kind === undefined ? [] : [{ runId, agent, kind, failure, interrupts, triggers, openIds }];
    });
  }
}

const interruptsOf = (outcome: RunOutcome | null | undefined): Interrupt[] =>
  outcome?.type === "interrupt" ? outcome.interrupts : [];

function kindOf({ state, outcome, failure }: EndedRun): RunNotice["kind"] | undefined {
  if (state === "failed" && failure !== undefined) {
    return "failed";
  }
  return state === "cancelled" ? "stopped" : outcome?.type === "interrupt" ? "question" : undefined;
}

import type { RunOutcome, RunState } from "@parley/client";
import type { LiveEvent } from "../../connection/line";
import type { ThreadModel } from "./thread-model";

/** Takes one event of a thread: runs are noted, what is said grows, and the rest is a hint to read. */
export function hear(model: ThreadModel, event: LiveEvent): void {
  const { runId = "" } = (event["metadata"] ?? {}) as { runId?: string };
  const member = event["subagentRunId"] as string | undefined;
  switch (event.type) {
    case "RUN_STARTED":
      model.runs.begin(runId, "running");
      doubtQuestions(model);
      break;
    case "STEP_STARTED":
      model.runs.step(runId, String(event["stepName"]), member);
      model.live.apply(event);
      break;
    case "STEP_FINISHED":
      model.runs.step(runId, undefined, member);
      model.live.apply(event);
      break;
    case "RUN_FINISHED": {
      const outcome = event["outcome"] as RunOutcome | undefined;
      model.runs.end(runId, outcome?.type === "cancelled" ? "cancelled" : "completed", outcome);
      model.reader.noteEnd(runId);
      doubtQuestions(model);
      break;
    }
    case "RUN_ERROR": {
      const code = event["code"] as string | undefined;
      const failure = { code, message: String(event["message"] ?? "It failed.") };
      model.runs.end(runId, code === "cancelled" ? "cancelled" : "failed", undefined, failure);
      model.reader.noteEnd(runId);
      doubtQuestions(model);
      break;
    }
    case "CUSTOM":
      hearOfThread(model, String(event["name"]), (event["value"] ?? {}) as Record<string, unknown>, runId === "");
      break;
    default:
      model.live.apply(event);
  }
}

/**
 * Agents may send events by any name. So what is said of messages is only a hint to read; what is said of the thread and
 * its runs is believed if it is not of a run.
 */
function hearOfThread(model: ThreadModel, name: string, value: Record<string, unknown>, isOurs: boolean): void {
  switch (name) {
    case "message_committed":
      model.reader.noteSeq(Number(value["seq"]));
      model.refresh.want((wants) => (wants.end = true));
      break;
    case "message_revised":
      hearOfRevision(model, value);
      break;
    case "messages_erased":
      hearOfErasure(model, value, isOurs);
      break;
    case "thread_updated":
      model.refresh.want((wants) => (wants.thread ||= isOurs));
      break;
    case "run_updated":
      if (isOurs) {
        updateRun(model, value);
      }
      break;
  }
}

/** One revision may take back, or replace, all that was said from a message on. */
function hearOfRevision(model: ThreadModel, value: Record<string, unknown>): void {
  const target = Number(value["targetSeq"]);
  const isStretch = value["kind"] === "supersession" || value["kind"] === "withdrawal";
  model.refresh.want((wants) => {
    wants.end = true;
    for (const { thread_seq: seq } of model.pages.messages()) {
      if (seq === target || (isStretch && seq > target)) {
        wants.rows.add(seq);
      }
    }
  });
}

/** What is shown of erased messages is read again; the title may be gone as well. */
function hearOfErasure(model: ThreadModel, value: Record<string, unknown>, isOurs: boolean): void {
  const given = value["seq_ranges"];
  const ranges = (Array.isArray(given) ? given : []) as { from: number; to: number }[];
  model.refresh.want((wants) => {
    wants.end = true;
    wants.thread ||= isOurs;
    for (const { thread_seq: seq } of model.pages.messages()) {
      if (ranges.some(({ from, to }) => from <= seq && seq <= to)) {
        wants.rows.add(seq);
      }
    }
  });
}

/** A run that begins may answer a question, and one that is cancelled may have taken its answer back. */
function doubtQuestions(model: ThreadModel): void {
  if (model.runs.hasAsked()) {
    model.refresh.want((wants) => (wants.runs = true));
  }
}

function updateRun(model: ThreadModel, value: Record<string, unknown>): void {
  const runId = String(value["run_id"]);
  const state = value["state"] as RunState;
  const wasOpen = model.runs.open().some((run) => run.runId === runId);
  model.runs.update(runId, value["agent"] as string | undefined, state);
  doubtQuestions(model);
  if (wasOpen && !model.runs.open().some((run) => run.runId === runId)) {
    // Nothing of the run itself was heard, so how it ended has to be read.
    model.reader.noteEnd(runId);
    model.refresh.want((wants) => (wants.runs = true));
  }
}

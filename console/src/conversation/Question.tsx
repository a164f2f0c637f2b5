import { useState } from "react";
import type { Interrupt, ResumeEntry } from "@parley/client";
import { Button } from "../ui/Button";
import { Field } from "../ui/Field";
import { useTalk } from "./context";
import { answerKind, answerOf } from "./model/answers";
import type { RunNotice } from "./model/run-book";

/** What a run asks before it goes on. It can be answered until somebody has, whatever else is said meanwhile. */
export function Question({ notice }: { notice: RunNotice }) {
  const { isClosed } = useTalk();
  const { interrupts, openIds } = notice;
  const open = interrupts.filter((each) => openIds.includes(each.id));
  const approvals = open.filter((each) => answerKind(each) === "approval");
  return (
    <>
      <span className="conversation-question-title">
        {interrupts.every((each) => answerKind(each) === "approval") ? "Approval needed" : "Answer needed"}
      </span>
      {interrupts.map((each) => (
        <div key={each.id} className="conversation-question">
          <p dir="auto" className="conversation-verbatim">
            {each.message ?? each.reason}
          </p>
          {open.includes(each) && !isClosed && answerKind(each) !== "approval" && <AnswerField interrupt={each} />}
        </div>
      ))}
      {approvals.length > 0 && !isClosed && <Approval interrupts={approvals} />}
      {open.length === 0 && <span className="quiet small">Answered</span>}
      {open.length > 0 && isClosed && <span className="quiet small">Not answered</span>}
    </>
  );
}

function Approval({ interrupts }: { interrupts: Interrupt[] }) {
  const { actions } = useTalk();
  const decide = (approved: boolean): void =>
    actions.onResume(
      approved ? "Approve" : "Decline",
      interrupts.map(({ id }): ResumeEntry => ({ interruptId: id, status: "resolved", payload: { approved } })),
    );
  return (
    <span className="conversation-notice-actions">
      <Button look="primary" onClick={() => decide(true)}>
        Approve
      </Button>
      <Button onClick={() => decide(false)}>Decline</Button>
    </span>
  );
}

/** Answers in words, or by a value in JSON of the shape that was asked for. */
function AnswerField({ interrupt }: { interrupt: Interrupt }) {
  const { actions } = useTalk();
  const kind = answerKind(interrupt);
  const [written, setWritten] = useState("");
  const [error, setError] = useState<string>();

  function answer(): void {
    const found = answerOf(kind, written);
    if (found === undefined) {
      setError(kind === "text" ? "Write an answer first." : "This is not JSON.");
    } else {
      actions.onResume(written.trim(), [{ interruptId: interrupt.id, status: "resolved", payload: found.payload }]);
    }
  }

  return (
    <>
      <Field label={kind === "text" ? "Answer" : "Answer (JSON)"} error={error}>
        {(control) => (
          <textarea
            {...control}
            dir="auto"
            rows={kind === "text" ? 2 : 4}
            value={written}
            onChange={(event) => {
              setWritten(event.target.value);
              setError(undefined);
            }}
          />
        )}
      </Field>
      {kind === "json" && (
        <details className="conversation-question-shape">
          <summary>What is asked for</summary>
          <pre dir="ltr">{JSON.stringify(interrupt.responseSchema, undefined, 2)}</pre>
        </details>
      )}
      <span className="conversation-notice-actions">
        <Button look="primary" onClick={answer}>
          Answer
        </Button>
        <Button onClick={() => actions.onResume("No answer", [{ interruptId: interrupt.id, status: "cancelled" }])}>
          Do not answer
        </Button>
      </span>
    </>
  );
}

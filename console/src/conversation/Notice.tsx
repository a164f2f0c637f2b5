import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { useTalk } from "./context";
import type { RunNotice } from "./model/run-book";
import { Question } from "./Question";

interface NoticeProps {
  notice: RunNotice;
  /** Whether the message behind which it stands was replaced or withdrawn, so that nothing can be done about it any more. */
  isOver?: boolean;
}

/** Says how a run ended that did not simply answer: it failed, was stopped, or asks something. */
export function Notice({ notice, isOver = false }: NoticeProps) {
  const { actions, isClosed } = useTalk();
  const { kind, failure, runId } = notice;
  return (
    <div className={`conversation-notice conversation-notice-${kind}`} data-kind={kind}>
      {kind === "failed" && (
        <>
          <span dir="auto">{failure?.message}</span>
          {failure?.code !== undefined && <code className="small">{failure.code}</code>}
        </>
      )}
      {kind === "stopped" && <span>Stopped</span>}
      {kind === "question" && <Question notice={notice} />}
      {kind !== "question" && (
        <span className="conversation-notice-actions">
          {!isOver && !isClosed && <Retry notice={notice} />}
          <Button look="ghost" onClick={() => actions.onInspect(runId)}>
            <Icon name="inspect" /> Inspect run
          </Button>
        </span>
      )}
    </div>
  );
}

/** Has the message answered again that the run should have answered. */
function Retry({ notice: { agent, asked } }: NoticeProps) {
  const { actions } = useTalk();
  return (
    asked !== undefined && (
      <Button onClick={() => actions.onRegenerate(asked.id, agent, asked.content)}>
        <Icon name="retry" /> Retry
      </Button>
    )
  );
}

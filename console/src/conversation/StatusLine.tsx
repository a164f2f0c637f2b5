import { useEffect, useState } from "react";
import { useParley } from "../connection/context";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { nameOf, useTalk } from "./context";
import { stageLabel } from "./stages";

/** Who is answering, how far that is, and how to stop it; and who else is writing. */
export function StatusLine({ typing }: { typing: string[] }) {
  const talk = useTalk();
  const parley = useParley();
  const [isStopping, setStopping] = useState(false);
  const current = talk.model.runs.current();
  const others = talk.model.runs.open().length - 1;
  const runId = current?.runId;

  useEffect(() => {
    setStopping(false);
    if (runId === undefined) {
      return undefined;
    }
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === "Escape" && !isMeantForElse(event)) {
        stop();
      }
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [runId]);

  function stop(): void {
    if (runId !== undefined) {
      setStopping(true);
      // What follows tells how it ended; if the call was lost, it can be tried again.
      parley.runs.cancel(talk.threadId, runId).catch(() => setStopping(false));
    }
  }

  const stages = [...new Set([...(current?.stages.values() ?? [])].map(stageLabel))].filter((each) => each !== undefined);
  return (
    <div className="conversation-status">
      {current !== undefined && (
        <>
          <span className="conversation-status-pulse" aria-hidden="true" />
          <span className="ellipsis">
            <bdi>{nameOf(talk, current.agent)}</bdi>
            {others > 0 && ` and ${others} more`} {doing(current.state === "queued", others > 0)}
          </span>
          {stages.map((stage) => (
            <span key={stage} className="badge">
              {stage}
            </span>
          ))}
          <Button className="conversation-stop" onClick={stop} disabled={isStopping} title="Esc stops it, too">
            <Icon name="stop" /> Stop
          </Button>
        </>
      )}
      {current === undefined && typing.length > 0 && (
        <span className="ellipsis">
          <bdi>{typing.join(", ")}</bdi> {typing.length > 1 ? "are" : "is"} writing…
        </span>
      )}
    </div>
  );
}

/**
 * Whether somebody who presses Escape wants something else than to stop the run: to end a composition, to close a dialog
 * or a menu, or to leave a field. In the message field it is meant for the run if nothing is written there.
 */
function isMeantForElse(event: KeyboardEvent): boolean {
  const at = event.target instanceof Element ? event.target : document.body;
  const field = at.closest<HTMLTextAreaElement>("input, textarea, select, [contenteditable]");
  const isWriting = field !== null && !(field.matches(".composer-text") && field.value === "");
  return (
    event.defaultPrevented ||
    event.isComposing ||
    isWriting ||
    at.closest("[role=menu]") !== null ||
    document.querySelector("dialog[open], :popover-open") !== null
  );
}

const doing = (isWaiting: boolean, areMany: boolean): string =>
  isWaiting ? "will answer" : areMany ? "are answering" : "is answering";

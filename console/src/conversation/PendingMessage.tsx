import type { Pending } from "../composer/outbox";
import { Button } from "../ui/Button";
import { useTalk } from "./context";
import { Frame } from "./Frame";
import { Pictures } from "./Pictures";
import { HumanText } from "./Text";
import { useIsOffline } from "./useIsOffline";

interface PendingMessageProps {
  pending: Pending;
  isActive: boolean;
}

/** What was written here and has not arrived yet, or was refused. */
export function PendingMessage({ pending, isActive }: PendingMessageProps) {
  const { myName, actions } = useTalk();
  const isOffline = useIsOffline();
  const { refusal, images, text, createdAt } = pending;
  return (
    <Frame
      name={myName}
      isMine
      isGrouped={false}
      isActive={isActive}
      role="user"
      state={refusal === undefined ? "pending" : "refused"}
      at={createdAt}
    >
      <Pictures images={images} />
      {text !== "" && <HumanText text={text} />}
      {refusal === undefined ? (
        <p className="conversation-marks">{isOffline ? "Waiting for the network" : "Sending…"}</p>
      ) : (
        <div className="conversation-refusal" role="alert">
          <span dir="auto">
            {pending.regenerateFrom === undefined ? "Not sent" : "Not asked again"}: {refusal}
          </span>
          <Button onClick={() => actions.onResend(pending)}>Send again</Button>
          <Button onClick={() => actions.onEdit(pending)}>Edit</Button>
          <Button onClick={() => actions.onDiscard(pending)}>Discard</Button>
        </div>
      )}
    </Frame>
  );
}

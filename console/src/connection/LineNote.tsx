import { Button } from "../ui/Button";
import { useLineState } from "./context";
import "./line-note.css";

const WORDS = {
  connecting: "Connecting",
  lost: "Connection lost, trying again",
  refused: "The server does not know you any more.",
  open: "",
};

/** Says that what is shown may not be the latest, while that is so. */
export function LineNote({ className = "" }: { className?: string }) {
  const state = useLineState();
  return (
    <p className={`line-note small ${className}`.trim()} role="status" data-state={state}>
      {WORDS[state]}
      {state === "refused" && <Button onClick={() => location.reload()}>Sign in again</Button>}
    </p>
  );
}

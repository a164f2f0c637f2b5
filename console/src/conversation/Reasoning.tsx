import { useEffect, useState } from "react";
import { duration } from "../ui/time";

interface ReasoningProps {
  text: string;
  isThinking: boolean;
  /** How long it took, if that is known. */
  ms: number | undefined;
}

/** What an agent thought: open while it thinks, folded afterwards unless a reader unfolds it. */
export function Reasoning({ text, isThinking, ms }: ReasoningProps) {
  const [isOpen, setOpen] = useState(isThinking);
  useEffect(() => setOpen(isThinking), [isThinking]);
  return (
    <details
      className="conversation-reasoning"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{isThinking ? "Thinking…" : ms === undefined || ms < 1_000 ? "Thought" : `Thought for ${duration(ms)}`}</summary>
      <div className="conversation-thought conversation-verbatim" dir="auto">
        {text}
      </div>
    </details>
  );
}

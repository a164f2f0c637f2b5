import { useMemo, useState, type ReactNode } from "react";
import { tokenizeMentions } from "@parley/client";
import { Markdown } from "../markdown/Markdown";
import { Button } from "../ui/Button";
import { useTalk } from "./context";

/** So much of a text is shown at first, and so much is ever drawn as markdown. */
const SHOWN = 20_000;
const DRAWN = 200_000;

/** A text of a person's, as it was written, with those who are mentioned in it. */
export function HumanText({ text }: { text: string }) {
  return (
    <Long text={text}>
      {(shown) => (
        <div className="conversation-text conversation-verbatim" dir="auto">
          <Mentions text={shown} />
        </div>
      )}
    </Long>
  );
}

/** A text of an agent's, drawn as markdown. */
export function AgentText({ text }: { text: string }) {
  return (
    <Long text={text}>
      {(shown) => (
        <div className={shown.length > DRAWN ? "conversation-text conversation-verbatim" : "conversation-text"} dir="auto">
          {shown.length > DRAWN ? shown : <Markdown text={shown} />}
        </div>
      )}
    </Long>
  );
}

function Mentions({ text }: { text: string }) {
  const participants = useTalk().model.thread?.participants;
  const parts = useMemo(() => tokenizeMentions(text, participants ?? []), [text, participants]);
  return parts.map((part, index) =>
    part.type === "mention" ? (
      <mark key={index} className="conversation-mention" title={part.sender_id}>
        {part.value}
      </mark>
    ) : (
      part.value
    ),
  );
}

/** Shows the beginning of a very long text, and all of it on request. */
function Long({ text, children }: { text: string; children: (shown: string) => ReactNode }) {
  const [isWhole, setWhole] = useState(false);
  if (text.length <= SHOWN || isWhole) {
    return children(text);
  }
  return (
    <>
      {children(text.slice(0, SHOWN))}
      <Button onClick={() => setWhole(true)}>Show all ({text.length.toLocaleString()} characters)</Button>
    </>
  );
}

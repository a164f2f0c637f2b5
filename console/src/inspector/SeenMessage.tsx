import { useState } from "react";
import type { ContextItem } from "@parley/client";
import { Badge } from "../ui/Badge";
import { transformText } from "./words";

const LONG = 1_200;

/** One message as the model got it: its role, where it comes from, what was done to it, and every word. */
export function SeenMessage({ item }: { item: ContextItem }) {
  const role = item.toolName === null ? item.role : `${item.role} ${item.toolName}`;
  return (
    <div className={`seen-message seen-${item.role}`}>
      <p className="inspector-line">
        <strong className="seen-role">{role}</strong>
        {item.seqs.length > 0 && <span className="quiet small">{seqText(item.seqs)}</span>}
        {item.failed === true && <Badge tone="bad">failed</Badge>}
        {item.transform.map((each) => (
          <Badge key={each}>{transformText(each)}</Badge>
        ))}
      </p>
      {typeof item.content === "string"
        ? item.content !== "" && <Folded text={item.content} />
        : item.content.map((part, index) => <Folded key={index} text={partText(part)} />)}
      {(item.toolCalls ?? []).map((call) => (
        <div key={call.id}>
          <p className="small">
            calls <code>{call.name}</code>
          </p>
          <Folded text={call.arguments} />
        </div>
      ))}
    </div>
  );
}

function seqText(seqs: number[]): string {
  const [first, ...rest] = seqs;
  return rest.length === 0 ? `message ${first}` : `messages ${first} to ${rest.at(-1)}`;
}

/** A text block is its text; anything else is shown as it is. */
function partText(part: Record<string, unknown>): string {
  return typeof part["text"] === "string" ? part["text"] : JSON.stringify(part, null, 2);
}

/** A long text shows its beginning first. */
function Folded({ text }: { text: string }) {
  const [open, setOpen] = useState(false);
  const long = text.length > LONG;
  return (
    <>
      <pre className="seen-text" dir="auto">
        {long && !open ? `${text.slice(0, LONG)}…` : text}
      </pre>
      {long && (
        <button type="button" className="seen-fold" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Show less" : `Show all ${text.length} characters`}
        </button>
      )}
    </>
  );
}

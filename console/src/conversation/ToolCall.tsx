import { Badge } from "../ui/Badge";
import { MessageCard } from "../cards/MessageCard";
import type { CallView } from "./model/rows";

const STATES = { asking: "Preparing", running: "Running", done: "Done", waiting: "No result" } as const;
const TONES = { asking: "accent", running: "accent", done: "good", waiting: "plain" } as const;
const MOST = 20_000;

/** A call of a tool: what it was asked and what it answered, folded. */
export function ToolCall({ call }: { call: CallView }) {
  const { name, args, state, result, answer } = call;
  return (
    <details className="conversation-tool">
      <summary>
        <bdi className="conversation-tool-name">{name}</bdi>
        <Badge tone={TONES[state]}>{STATES[state]}</Badge>
        <span className="conversation-glimpse ellipsis" dir="auto" aria-hidden="true">
          {(result ?? args).slice(0, 200)}
        </span>
      </summary>
      <Part title="Arguments" text={args} />
      {result !== undefined && <Part title="Result" text={result} />}
      {answer !== undefined && <MessageCard message={answer} />}
    </details>
  );
}

/** The answer of a tool whose call is not to be seen here. */
export function ToolAnswer({ name, result }: { name: string; result: string }) {
  return (
    <details className="conversation-tool">
      <summary>
        <bdi className="conversation-tool-name">{name}</bdi>
        <Badge tone="good">Result</Badge>
        <span className="conversation-glimpse ellipsis" dir="auto" aria-hidden="true">
          {result.slice(0, 200)}
        </span>
      </summary>
      <Part title="Result" text={result} />
    </details>
  );
}

function Part({ title, text }: { title: string; text: string }) {
  return (
    <div className="conversation-tool-part">
      <span className="quiet small">{title}</span>
      <pre className="conversation-verbatim" dir="auto" tabIndex={0} aria-label={title}>
        {pretty(text)}
      </pre>
    </div>
  );
}

/** JSON with its structure to be seen; anything else, and what is half there, as it is. */
export function pretty(text: string): string {
  const shown = text.slice(0, MOST);
  try {
    return JSON.stringify(JSON.parse(shown), undefined, 2);
  } catch {
    return shown.length < text.length ? `${shown}…` : shown;
  }
}

import { useState } from "react";
import type { ContextItem } from "@parley/client";
import { Button } from "../ui/Button";
import { SeenMessage } from "./SeenMessage";

const AT_START = 10;
const AT_END = 40;
const STEP = 200;

/** The messages of a context. Of a long one the middle is shown on demand. */
export function SeenMessages({ messages }: { messages: ContextItem[] }) {
  const [more, setMore] = useState(0);
  const end = Math.max(0, messages.length - AT_END - more);
  const start = Math.min(AT_START, end);
  const hidden = end - start;
  return (
    <>
      {start > 0 && <SeenList messages={messages.slice(0, start)} />}
      {hidden > 0 && (
        <Button className="seen-more" onClick={() => setMore(more + STEP)}>
          Show {Math.min(STEP, hidden)} of {hidden} messages in between
        </Button>
      )}
      <SeenList messages={messages.slice(end)} />
    </>
  );
}

function SeenList({ messages }: { messages: ContextItem[] }) {
  return (
    <ol className="seen-list">
      {messages.map((item, index) => (
        <li key={index}>
          <SeenMessage item={item} />
        </li>
      ))}
    </ol>
  );
}

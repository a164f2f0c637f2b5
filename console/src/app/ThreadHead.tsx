import type { ThreadView } from "@parley/client";
import { useState } from "react";
import { LineNote } from "../connection/LineNote";
import { sourcesOf, titleOf } from "../threads/words";
import { Badge } from "../ui/Badge";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { HOME_ADDRESS } from "./route";
import { ThreadSettings } from "./ThreadSettings";

/** A conversation's title, who is in it, and its settings. */
export function ThreadHead({ thread }: { thread: ThreadView | undefined }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <header className="thread-head">
      <a className="thread-head-back button button-ghost button-icon" href={HOME_ADDRESS} aria-label="All conversations">
        <Icon name="back" />
      </a>
      <h1 className="ellipsis" dir="auto">
        {thread === undefined ? "New conversation" : titleOf(thread)}
      </h1>
      <LineNote className="thread-head-note" />
      {thread !== undefined && (
        <>
          {sourcesOf(thread).map((source) => (
            <Badge key={source}>{source}</Badge>
          ))}
          {thread.participation_mode === "invocation_only" && (
            <Badge title="Agents answer only when they are mentioned">only when mentioned</Badge>
          )}
          {thread.is_archived && <Badge tone="warn">archived</Badge>}
          <Button look="ghost" onClick={() => setIsOpen(true)} title="People and settings">
            <Icon name="people" /> {thread.participants.length}
            <span className="unseen"> in it: Conversation settings</span>
          </Button>
          {isOpen && <ThreadSettings thread={thread} onClose={() => setIsOpen(false)} />}
        </>
      )}
    </header>
  );
}

import { freshId, type ThreadView } from "@parley/client";
import { Suspense, useEffect, useRef, useState } from "react";
import { Composer, type Offer, type Written } from "../composer/Composer";
import { wayOf, type Pending } from "../composer/outbox";
import { useParley } from "../connection/context";
import { Conversation } from "../conversation/Conversation";
import { useIsMissing, useThread, useThreadStore } from "../threads/context";
import { answeringAgents } from "./answering";
import { useAgents } from "./useAgents";
import { Inspector } from "./pages";
import { useOutbox, usePending } from "./outboxContext";
import { goTo, runAddress, threadAddress } from "./route";
import { ThreadHead } from "./ThreadHead";
import { Welcome } from "./Welcome";
import "./thread-page.css";

interface ThreadPageProps {
  threadId: string;
  /** Nothing was said in it yet, so the server does not know of it. */
  isFresh: boolean;
  /** The message to look at. */
  seq: number | undefined;
  runId: string | undefined;
  compareWith: string | undefined;
}

const TYPING_EVERY_MS = 3_000;

/** One conversation with its head, its messages, the field to write in, and beside it what a run did. */
export function ThreadPage({ threadId, isFresh, seq, runId, compareWith }: ThreadPageProps) {
  const parley = useParley();
  const store = useThreadStore();
  const thread = useThread(threadId);
  const isMissing = useIsMissing(threadId);
  const outbox = useOutbox();
  const pending = usePending(threadId);
  const agents = useAgents();
  const [offer, setOffer] = useState<Offer>();
  const typedAt = useRef(0);
  // Who was in it until now is told so by the conversation itself.
  const wasThere = useRef(false);
  wasThere.current ||= thread !== undefined;

  // What has arrived may have made the thread, or given it its title.
  useEffect(() => {
    if (!isFresh && pending.length === 0) {
      store.refresh(threadId);
    }
  }, [store, threadId, isFresh, pending.length]);

  function say(said: Omit<Pending, "key" | "threadId" | "createdAt" | "way">): void {
    const pending = { ...said, key: freshId(), threadId, createdAt: new Date().toISOString() };
    outbox.send({ ...pending, way: wayOf(pending, isFresh) });
    if (isFresh) {
      goTo(threadAddress(threadId));
    }
  }

  function onTyping(): void {
    const now = Date.now();
    if (thread !== undefined && now - typedAt.current > TYPING_EVERY_MS) {
      typedAt.current = now;
      // Nobody minds if it is lost.
      parley.thread(threadId).typing().catch(() => {});
    }
  }

  const participants = thread?.participants ?? [];
  return (
    <div className="thread-page" data-inspecting={runId === undefined ? undefined : ""}>
      <main id="main" className="shell-main" aria-label="Conversation" tabIndex={-1}>
        <ThreadHead thread={thread} />
        {isMissing && !wasThere.current && pending.length === 0 && (
          <p className="empty" role="alert">
            There is no such conversation, or you are not in it.
          </p>
        )}
        <Conversation
          threadId={threadId}
          isFresh={isFresh}
          seq={seq}
          pending={pending}
          welcome={
            (isFresh || thread !== undefined) && (
              <Welcome
                agents={answeringAgents(thread, agents)}
                isOnMention={thread?.participation_mode === "invocation_only"}
                onSay={(text) => say({ text, images: [], mentions: [] })}
              />
            )
          }
          onResume={(text, resume) => say({ text, images: [], mentions: [], resume })}
          onRegenerate={(messageId, agent, text) =>
            say({ text, images: [], mentions: [], regenerateFrom: messageId, agentId: agent?.replace(/^agent:/, "") })
          }
          onResend={({ key }) => outbox.resend(key)}
          onDiscard={({ key }) => outbox.giveUp(key)}
          onEdit={({ key, text, images }) => {
            outbox.giveUp(key);
            setOffer({ key, text, images });
          }}
          onInspect={(run) => goTo(runAddress(threadId, run))}
        />
        <Composer
          threadId={threadId}
          draftId={isFresh ? "new" : threadId}
          participants={participants}
          agents={agents}
          offer={offer}
          isFirst={isFresh}
          closed={closedBecause(thread, isMissing && pending.length === 0)}
          onSend={(written: Written) => say(written)}
          onTyping={onTyping}
        />
      </main>
      {runId !== undefined && (
        <aside className="thread-inspector" aria-label="Run">
          <Suspense fallback={<p className="empty">Loading</p>}>
            <Inspector
              threadId={threadId}
              runId={runId}
              compareWith={compareWith}
              onClose={() => goTo(threadAddress(threadId))}
            />
          </Suspense>
        </aside>
      )}
    </div>
  );
}

function closedBecause(thread: ThreadView | undefined, isMissing: boolean): string | undefined {
  if (isMissing) {
    return "Nothing can be said here: you are not in this conversation.";
  }
  return thread?.is_archived ? "This conversation is archived: it can be read, but takes no messages." : undefined;
}

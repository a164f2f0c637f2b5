import "./conversation.css";
import "./message.css";
import "./parts.css";
import { useCallback, useMemo, useRef, useSyncExternalStore, type ReactNode } from "react";
import type { ResumeEntry } from "@parley/client";
import { CardSchemas } from "../cards/schemas";
import type { AgentOption } from "../composer/AgentChoice";
import type { Pending } from "../composer/outbox";
import { useMe, useParley } from "../connection/context";
import { Failure } from "../ui/Failure";
import { TalkContext, type Talk } from "./context";
import { MessageList } from "./MessageList";
import { Deliveries } from "./model/deliveries";
import { RowStates } from "./model/row-states";
import { tailOf } from "./model/tail";
import { ThreadModel } from "./model/thread-model";
import { StatusLine } from "./StatusLine";
import { useAnnouncements } from "./useAnnouncements";
import { useFollow } from "./useFollow";
import { useTyping } from "./useTyping";

const NOBODY: AgentOption[] = [];

export interface ConversationProps {
  threadId: string;
  /** What was written here and is still on its way, oldest first. */
  pending: Pending[];
  /** Shown while the thread has no messages. */
  welcome: ReactNode;
  /** Answers an open question of an agent; the text is said by the user. */
  onResume: (text: string, resume: ResumeEntry[]) => void;
  /** Has a message of the user's answered once more; its text has to be sent with it, else another takes its place. */
  onRegenerate: (messageId: string, agentId: string | undefined, text: string) => void;
  /** Sends a refused one again, offers it in the composer, or forgets it. */
  onResend: (pending: Pending) => void;
  onEdit: (pending: Pending) => void;
  onDiscard: (pending: Pending) => void;
  onInspect: (runId: string) => void;
  /** Whether nothing was said in it yet, so that the server does not know of it. */
  isFresh?: boolean;
  /** The agents that one may ask. */
  agents?: AgentOption[];
  /** The message to look at; the latest if none is named. */
  seq?: number | undefined;
}

/** A thread's messages, from the first to what is being said right now. */
export function Conversation(props: ConversationProps) {
  return <OpenConversation key={props.threadId} {...props} />;
}

function OpenConversation({ threadId, pending, welcome, isFresh = false, agents = NOBODY, seq, ...actions }: ConversationProps) {
  const parley = useParley();
  const me = useMe();
  const [words, announce] = useAnnouncements();
  const [typing, heardTyping] = useTyping(me.sender_id);
  const startsNew = useRef(isFresh);
  const model = useMemo(() => {
    const thread = parley.thread(threadId);
    const source = {
      thread: () => thread.get(),
      messages: (query: { after?: number; before?: number; limit: number }) => thread.messages.list(query),
      runs: (cursor?: string) => parley.runs.list(threadId, { cursor, limit: 50 }),
      run: (runId: string) => parley.runs.find(threadId, runId),
    };
    return new ThreadModel(source, me.sender_id, startsNew.current);
  }, [parley, threadId, me.sender_id]);
  const cards = useMemo(
    () => new CardSchemas((beforeSeq, limit) => parley.history.day({ threadId, beforeSeq, limit })),
    [parley, threadId],
  );
  const deliveries = useMemo(
    () => new Deliveries((after) => parley.thread(threadId).deliveries.list({ after, limit: 200 })),
    [parley, threadId],
  );
  const rowStates = useMemo(() => new RowStates(), []);
  useSyncExternalStore(model.changes.subscribe, model.changes.version);

  const pendingKeys = pending.map((each) => each.key);
  model.intake.expect(pendingKeys);
  model.runs.expect(pending);
  useFollow({ threadId, model, pendingKeys, onTyping: heardTyping });

  const isClosed = model.state === "lost" || (model.thread?.is_archived ?? false);
  const latest = useRef(actions);
  latest.current = actions;
  const talk = useMemo<Talk>(() => {
    const stable: Talk["actions"] = {
      onResume: (...given) => latest.current.onResume(...given),
      onRegenerate: (...given) => latest.current.onRegenerate(...given),
      onResend: (...given) => latest.current.onResend(...given),
      onEdit: (...given) => latest.current.onEdit(...given),
      onDiscard: (...given) => latest.current.onDiscard(...given),
      onInspect: (...given) => latest.current.onInspect(...given),
    };
    const agentNames = new Map(agents.map(({ agentId, name }) => [`agent:${agentId}`, name]));
    const mine = { me: me.sender_id, myName: me.display_name, isClosed };
    return { threadId, model, cards, deliveries, rowStates, ...mine, agentNames, actions: stable, announce };
  }, [threadId, model, cards, deliveries, rowStates, me, isClosed, agents, announce]);

  const retry = useCallback(() => void model.read(), [model]);
  const tail = tailOf(model, pending);
  const isEmpty = tail.length === 0 && (model.state === "new" || (model.state === "ready" && model.pages.lastSeq === 0));
  return (
    <TalkContext value={talk}>
      <div className="conversation">
        {model.state === "lost" && (
          <p className="conversation-lost" role="status">
            You are not in this conversation any more. What was said until now can still be read here.
          </p>
        )}
        {model.state === "failed" && <Failure error={model.error} onRetry={retry} />}
        {isEmpty ? <div className="conversation-welcome">{welcome}</div> : <MessageList tail={tail} seq={seq} />}
        <StatusLine typing={typing} />
        <p className="unseen" role="status">
          {words}
        </p>
      </div>
    </TalkContext>
  );
}

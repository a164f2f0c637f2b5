import { useState } from "react";
import { useParley } from "../../connection/context";
import { titleOf } from "../../threads/words";
import { Failure } from "../../ui/Failure";
import { Field } from "../../ui/Field";
import { shortTime } from "../../ui/time";
import { useLoaded } from "../../ui/useLoaded";
import { ThreadWebhooks } from "./ThreadWebhooks";

const MOST = 200;

/** Who is told of a conversation's events by calls: one conversation is chosen, and its webhooks are shown. */
export function Webhooks() {
  const parley = useParley();
  const threads = useLoaded((signal) => parley.threads.list({ limit: MOST, signal }), [parley]);
  const [chosen, setChosen] = useState<string>();
  const list = threads.value?.threads ?? [];
  const threadId = chosen ?? list[0]?.thread_id;
  return (
    <>
      <p className="quiet">A webhook has every event of a conversation posted to an address of yours, signed.</p>
      {threads.error !== undefined && <Failure error={threads.error} onRetry={threads.reload} />}
      {list.length > 0 && (
        <Field label="Conversation">
          {(control) => (
            <select {...control} value={threadId} onChange={(event) => setChosen(event.target.value)}>
              {list.map((thread) => (
                <option key={thread.thread_id} value={thread.thread_id}>
                  {`${titleOf(thread)} (${shortTime(thread.last_message_at ?? thread.created_at)})`}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {threadId !== undefined && <ThreadWebhooks key={threadId} threadId={threadId} />}
      {threads.value !== undefined && list.length === 0 && (
        <p className="empty">You are in no conversation yet. Begin one, and its webhooks are made here.</p>
      )}
    </>
  );
}

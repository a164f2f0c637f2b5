import type { ThreadView } from "@parley/client";
import { useState } from "react";
import { useMe, useParley } from "../connection/context";
import { Badge } from "../ui/Badge";
import { Button } from "../ui/Button";
import { Field } from "../ui/Field";
import { useAgents } from "./useAgents";

interface PeopleProps {
  thread: ThreadView;
  /** Does something and shows what came of it. */
  onChange: (act: () => Promise<unknown>) => Promise<void>;
}

/** Who is in a conversation; others can be asked in, and sent away. */
export function People({ thread, onChange }: PeopleProps) {
  const me = useMe();
  const agents = useAgents();
  const { participants } = useParley().thread(thread.thread_id);
  const [wanted, setWanted] = useState("");
  const others = agents.filter(({ agentId }) => !thread.participants.some((each) => each.sender_id === `agent:${agentId}`));

  function add(): void {
    void onChange(async () => {
      await participants.add([wanted.includes(":") ? wanted.trim() : `user:${wanted.trim()}`]);
      setWanted("");
    });
  }

  return (
    <section aria-label="Participants" className="people-list">
      <ul className="people-list">
        {thread.participants.map((each) => (
          <li key={each.sender_id} className="people-row">
            <span className="ellipsis" title={each.sender_id}>
              <bdi>{each.display_name || each.sender_id}</bdi>
            </span>
            <Badge>{each.participant_kind}</Badge>
            {each.sender_id === me.sender_id ? (
              <Badge tone="accent">you</Badge>
            ) : (
              <Button
                look="ghost"
                aria-label={`Remove ${each.display_name}`}
                onClick={() => void onChange(() => participants.remove(each.sender_id))}
              >
                Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
      <div className="people-add">
        <Field label="Add" hint="An agent of the list, a user's id, or any sender id">
          {(control) => (
            <>
              <input {...control} list="people-agents" value={wanted} onChange={(event) => setWanted(event.target.value)} />
              <datalist id="people-agents">
                {others.map(({ agentId, name }) => (
                  <option key={agentId} value={`agent:${agentId}`}>
                    {name}
                  </option>
                ))}
              </datalist>
            </>
          )}
        </Field>
        <Button onClick={add} disabled={wanted.trim() === ""}>
          Add
        </Button>
      </div>
    </section>
  );
}

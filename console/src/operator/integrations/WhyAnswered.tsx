import { useState, type FormEvent } from "react";
import { useParley } from "../../connection/context";
import { Button } from "../../ui/Button";
import { Field } from "../../ui/Field";
import { useLoaded } from "../../ui/useLoaded";
import { Listing } from "../Listing";
import { Trail } from "./Trail";

interface Asked {
  source: string;
  external_message_id: string;
}

/** Looks a platform's message up, and tells why it was answered or was not. */
export function WhyAnswered() {
  const [source, setSource] = useState("");
  const [messageId, setMessageId] = useState("");
  const [asked, setAsked] = useState<Asked>();

  function ask(event: FormEvent): void {
    event.preventDefault();
    setAsked({ source: source.trim(), external_message_id: messageId.trim() });
  }

  return (
    <section className="operate-section" aria-labelledby="operate-why">
      <h2 id="operate-why">Why did it (not) answer?</h2>
      <form className="operate-line" onSubmit={ask}>
        <Field label="Platform">
          {(control) => (
            <input
              {...control}
              value={source}
              placeholder="slack"
              autoCapitalize="none"
              spellCheck={false}
              required
              onChange={(event) => setSource(event.target.value)}
            />
          )}
        </Field>
        <Field label="Message id there">
          {(control) => (
            <input
              {...control}
              value={messageId}
              placeholder="1731665000.000100"
              spellCheck={false}
              required
              onChange={(event) => setMessageId(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" look="primary">
          Look it up
        </Button>
      </form>
      {asked !== undefined && <Answer asked={asked} />}
    </section>
  );
}

function Answer({ asked }: { asked: Asked }) {
  const parley = useParley();
  const traces = useLoaded((signal) => parley.integrations.trace({ ...asked, signal }), [parley, asked]);
  return (
    <Listing
      loaded={traces}
      isEmpty={(list) => list.length === 0}
      empty="Nothing by this name has come from there. Perhaps the platform never sent it."
    >
      {(list) => list.map((trace) => <Trail key={trace.event_id} trace={trace} />)}
    </Listing>
  );
}

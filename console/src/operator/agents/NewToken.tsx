import type { AgentTokenView, AgentView, Scope } from "@parley/client";
import { useState, type FormEvent } from "react";
import { useParley } from "../../connection/context";
import { Button } from "../../ui/Button";
import { Failure } from "../../ui/Failure";
import { Field } from "../../ui/Field";
import { useAction } from "../useAction";

const SCOPES: readonly { scope: Scope; words: string }[] = [
  { scope: "observe", words: "read" },
  { scope: "speak", words: "speak" },
  { scope: "run", words: "start runs" },
  { scope: "manage_thread", words: "manage conversations" },
];
const DAY = 24 * 60 * 60 * 1_000;
const ENDS = [
  { days: 0, words: "never" },
  { days: 7, words: "in a week" },
  { days: 30, words: "in 30 days" },
  { days: 365, words: "in a year" },
];

/** Makes a token with what it may do and until when. */
export function NewToken({ agent, onMade }: { agent: AgentView; onMade: (token: AgentTokenView) => void }) {
  const { owner } = useParley();
  const [scopes, setScopes] = useState<readonly Scope[]>(["observe", "speak"]);
  const [days, setDays] = useState(0);
  const making = useAction();

  function make(event: FormEvent): void {
    event.preventDefault();
    const expires_at = days === 0 ? null : new Date(Date.now() + days * DAY).toISOString();
    const wish = { agent_actor_id: agent.sender_id, scopes: [...scopes], expires_at };
    void making.act(async () => onMade(await owner.createToken(wish)));
  }

  return (
    <form className="operate-token" onSubmit={make}>
      <fieldset className="operate-scopes">
        <legend className="field-label">It may</legend>
        {SCOPES.map(({ scope, words }) => (
          <label key={scope}>
            <input
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={(event) =>
                setScopes(event.target.checked ? [...scopes, scope] : scopes.filter((each) => each !== scope))
              }
            />
            {words}
          </label>
        ))}
      </fieldset>
      <div className="operate-line">
        <Field label="Ends">
          {(control) => (
            <select {...control} value={days} onChange={(event) => setDays(Number(event.target.value))}>
              {ENDS.map((each) => (
                <option key={each.days} value={each.days}>
                  {each.words}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Button type="submit" look="primary" disabled={making.busy || scopes.length === 0}>
          Make a token
        </Button>
      </div>
      {making.error !== undefined && <Failure error={making.error} />}
    </form>
  );
}

import type { AgentKind, AgentView, Visibility } from "@parley/client";
import { useState, type FormEvent } from "react";
import { useParley } from "../../connection/context";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Failure } from "../../ui/Failure";
import { Field } from "../../ui/Field";
import { faultBeside, faultOf, useAction } from "../useAction";
import { KINDS, readConfig, writeConfig } from "./kinds";

interface AgentFormProps {
  /** Undefined for one to be made. */
  agent: AgentView | undefined;
  onSaved: () => void;
  onClose: () => void;
}

/** Makes an agent, or changes one. What is wrong is said at its field. */
export function AgentForm({ agent, onSaved, onClose }: AgentFormProps) {
  const { owner } = useParley();
  const [name, setName] = useState(agent?.display_name ?? "");
  const [kind, setKind] = useState<AgentKind>(agent?.kind ?? "external");
  const [visibility, setVisibility] = useState<Visibility>(agent?.visibility ?? "private");
  const [config, setConfig] = useState(writeConfig(agent?.config ?? KINDS[kind].config));
  const [fault, setFault] = useState<string>();
  const saving = useAction();

  function choose(next: AgentKind): void {
    if (config === writeConfig(KINDS[kind].config)) {
      setConfig(writeConfig(KINDS[next].config));
    }
    setKind(next);
  }

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    const read = readConfig(config);
    setFault("fault" in read ? read.fault : undefined);
    if ("fault" in read) {
      return;
    }
    const wish = { display_name: name.trim(), visibility, config: read.config };
    const saved = await saving.act(() =>
      agent === undefined ? owner.createAgent({ ...wish, kind }) : owner.changeAgent(agent.agent_id, wish),
    );
    if (saved) {
      onSaved();
      onClose();
    }
  }

  const { error } = saving;
  const beside = faultBeside(error, "display_name", "kind", "visibility", "config");
  return (
    <Dialog title={agent === undefined ? "New agent" : `Change ${agent.display_name}`} onClose={onClose}>
      <form onSubmit={(event) => void save(event)}>
        <Field label="Name" error={faultOf(error, "display_name")}>
          {(control) => (
            <input {...control} dir="auto" value={name} required onChange={(event) => setName(event.target.value)} />
          )}
        </Field>
        <Field label="Kind" hint={KINDS[kind].hint} error={faultOf(error, "kind")}>
          {(control) => (
            <select
              {...control}
              value={kind}
              disabled={agent !== undefined}
              onChange={(event) => choose(event.target.value as AgentKind)}
            >
              {Object.entries(KINDS).map(([each, { words }]) => (
                <option key={each} value={each}>
                  {words}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Who may ask it" error={faultOf(error, "visibility")}>
          {(control) => (
            <select {...control} value={visibility} onChange={(event) => setVisibility(event.target.value as Visibility)}>
              <option value="private">only me</option>
              <option value="shared">everybody on this server</option>
            </select>
          )}
        </Field>
        <Field label="Configuration" hint="As JSON." error={fault ?? faultOf(error, "config")}>
          {(control) => (
            <textarea
              {...control}
              className="operate-json"
              rows={6}
              dir="ltr"
              spellCheck={false}
              value={config}
              onChange={(event) => setConfig(event.target.value)}
            />
          )}
        </Field>
        {beside !== undefined && <Failure error={beside} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={saving.busy}>
            {agent === undefined ? "Make it" : "Save"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

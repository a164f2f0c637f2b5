import type { IntegrationKeyView } from "@parley/client";
import { useState, type FormEvent } from "react";
import { useMe, useParley } from "../../connection/context";
import { Button } from "../../ui/Button";
import { Confirm } from "../../ui/Confirm";
import { Failure } from "../../ui/Failure";
import { Field } from "../../ui/Field";
import { useLoaded } from "../../ui/useLoaded";
import { Listing } from "../Listing";
import { Records, type Column } from "../Records";
import { ShownOnce } from "../ShownOnce";
import { Time } from "../Time";
import { faultBeside, faultOf, useAction } from "../useAction";

/** The keys of integrations: make one, see them, revoke them. */
export function Keys() {
  const parley = useParley();
  const me = useMe();
  const keys = useLoaded((signal) => parley.operator.integrationKeys({ signal }), [parley]);
  const [source, setSource] = useState("");
  const [made, setMade] = useState<IntegrationKeyView>();
  const [revoked, setRevoked] = useState<IntegrationKeyView>();
  const making = useAction();
  const revoking = useAction();

  async function make(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (await making.act(async () => setMade(await parley.operator.createIntegrationKey(source.trim())))) {
      setSource("");
    }
    keys.reload();
  }

  async function revoke({ key_id }: IntegrationKeyView): Promise<void> {
    await revoking.act(() => parley.operator.revokeIntegrationKey(key_id));
    keys.reload();
  }

  const columns: Column<IntegrationKeyView>[] = [
    { head: "Source", kind: "main", cell: (key) => key.source },
    { head: "Key", cell: (key) => <code>{key.key_prefix}…</code> },
    { head: "Made", cell: (key) => <Time at={key.created_at} /> },
    { head: "By", cell: (key) => (key.owner === me.sender_id ? "You" : <code>{key.owner}</code>) },
    {
      head: "Actions",
      kind: "actions",
      cell: (key) => (
        <Button look="danger" disabled={revoking.busy} onClick={() => setRevoked(key)} aria-label={`Revoke ${key.source}`}>
          Revoke
        </Button>
      ),
    },
  ];
  const beside = faultBeside(making.error, "source") ?? revoking.error;

  return (
    <section className="operate-section" aria-labelledby="operate-keys">
      <h2 id="operate-keys">Integration keys</h2>
      <form className="operate-line" onSubmit={(event) => void make(event)}>
        <Field
          label="Source"
          hint="A platform or a program of your own: small letters, digits, - and _."
          error={faultOf(making.error, "source")}
        >
          {(control) => (
            <input
              {...control}
              value={source}
              placeholder="relay"
              autoCapitalize="none"
              spellCheck={false}
              required
              onChange={(event) => setSource(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" look="primary" disabled={making.busy}>
          Make a key
        </Button>
      </form>
      {beside !== undefined && <Failure error={beside} />}
      <Listing
        loaded={keys}
        isEmpty={(list) => list.length === 0}
        empty="There are no keys yet. Those of the server's configuration are not shown here."
      >
        {(list) => <Records caption="Integration keys" rows={list} columns={columns} keyOf={(key) => key.key_id} />}
      </Listing>
      {made?.raw_key && (
        <ShownOnce title={`Key of ${made.source}`} secret={made.raw_key} onClose={() => setMade(undefined)}>
          The integration sends it with every call, as <code>Authorization: Bearer …</code>
        </ShownOnce>
      )}
      {revoked !== undefined && (
        <Confirm
          title={`Revoke the key of ${revoked.source}?`}
          action="Revoke"
          onConfirm={() => void revoke(revoked)}
          onClose={() => setRevoked(undefined)}
        >
          What uses it is refused from now on. This cannot be undone.
        </Confirm>
      )}
    </section>
  );
}

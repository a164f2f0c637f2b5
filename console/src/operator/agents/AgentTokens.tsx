import type { AgentTokenView, AgentView } from "@parley/client";
import { useState } from "react";
import { useParley } from "../../connection/context";
import { Button } from "../../ui/Button";
import { Confirm } from "../../ui/Confirm";
import { Dialog } from "../../ui/Dialog";
import { Failure } from "../../ui/Failure";
import { useLoaded } from "../../ui/useLoaded";
import { Listing } from "../Listing";
import { Records, type Column } from "../Records";
import { ShownOnce } from "../ShownOnce";
import { Time } from "../Time";
import { useAction } from "../useAction";
import { NewToken } from "./NewToken";

/** The tokens by which an external agent calls. */
export function AgentTokens({ agent, onClose }: { agent: AgentView; onClose: () => void }) {
  const { owner } = useParley();
  const tokens = useLoaded(
    async (signal) => (await owner.tokens({ signal })).filter((each) => each.agent_actor_id === agent.sender_id),
    [owner, agent.sender_id],
  );
  const [made, setMade] = useState<AgentTokenView>();
  const [revoked, setRevoked] = useState<AgentTokenView>();
  const revoking = useAction();

  async function revoke({ token_id }: AgentTokenView): Promise<void> {
    await revoking.act(() => owner.revokeToken(token_id));
    tokens.reload();
  }

  const columns: Column<AgentTokenView>[] = [
    { head: "Token", kind: "main", cell: (token) => <code>{token.token_prefix}…</code> },
    { head: "May", cell: (token) => token.scopes.join(", ") },
    { head: "Last used", cell: (token) => <Time at={token.last_used_at} none="never" /> },
    { head: "Ends", cell: (token) => <Time at={token.expires_at} none="never" /> },
    {
      head: "Actions",
      kind: "actions",
      cell: (token) => (
        <Button
          look="danger"
          disabled={revoking.busy}
          aria-label={`Revoke ${token.token_prefix}`}
          onClick={() => setRevoked(token)}
        >
          Revoke
        </Button>
      ),
    },
  ];

  if (made?.raw_token) {
    return (
      <ShownOnce title={`Token of ${agent.display_name}`} secret={made.raw_token} onClose={() => setMade(undefined)}>
        The agent sends it with every call, as <code>Authorization: Bearer …</code>
      </ShownOnce>
    );
  }
  return (
    <>
      <Dialog title={`Tokens of ${agent.display_name}`} className="operate-wide" onClose={onClose}>
        <Listing loaded={tokens} isEmpty={(list) => list.length === 0} empty="It has no tokens, so it cannot call.">
          {(list) => <Records caption="Tokens" rows={list} columns={columns} keyOf={(token) => token.token_id} />}
        </Listing>
        {revoking.error !== undefined && <Failure error={revoking.error} />}
        <NewToken
          agent={agent}
          onMade={(token) => {
            setMade(token);
            tokens.reload();
          }}
        />
        <div className="dialog-actions">
          <Button onClick={onClose}>Close</Button>
        </div>
      </Dialog>
      {revoked !== undefined && (
        <Confirm
          title="Revoke the token?"
          action="Revoke"
          onConfirm={() => void revoke(revoked)}
          onClose={() => setRevoked(undefined)}
        >
          {`What calls with ${revoked.token_prefix}… is refused from now on. This cannot be undone.`}
        </Confirm>
      )}
    </>
  );
}

import type { AgentView } from "@parley/client";
import { useState } from "react";
import { useParley } from "../../connection/context";
import { Button } from "../../ui/Button";
import { Confirm } from "../../ui/Confirm";
import { Failure } from "../../ui/Failure";
import { useLoaded } from "../../ui/useLoaded";
import { Listing } from "../Listing";
import { Records } from "../Records";
import { useAction } from "../useAction";
import { agentColumns } from "./agentColumns";
import { AgentForm } from "./AgentForm";
import { AgentTokens } from "./AgentTokens";

/** The agents that somebody owns: make them, change them, switch them off, give them tokens, delete them. */
export function Agents() {
  const parley = useParley();
  const agents = useLoaded((signal) => parley.owner.agents({ signal }), [parley]);
  const [edited, setEdited] = useState<AgentView | "new">();
  const [withTokens, setWithTokens] = useState<AgentView>();
  const [deleted, setDeleted] = useState<AgentView>();
  const changing = useAction();

  async function change(what: () => Promise<unknown>): Promise<void> {
    await changing.act(what);
    agents.reload();
  }

  const columns = agentColumns({
    busy: changing.busy,
    onSwitch: ({ agent_id, is_active }) =>
      void change(() => parley.owner.changeAgent(agent_id, { is_active: !is_active })),
    onEdit: setEdited,
    onTokens: setWithTokens,
    onDelete: setDeleted,
  });

  return (
    <>
      <div className="operate-line">
        <p className="quiet">Yours. Shared ones can be asked by everybody on this server.</p>
        <Button look="primary" onClick={() => setEdited("new")}>
          New agent
        </Button>
      </div>
      {changing.error !== undefined && <Failure error={changing.error} />}
      <Listing loaded={agents} isEmpty={(list) => list.length === 0} empty="You have no agents of your own yet.">
        {(list) => <Records caption="Your agents" rows={list} columns={columns} keyOf={(each) => each.agent_id} />}
      </Listing>
      {edited !== undefined && (
        <AgentForm
          agent={edited === "new" ? undefined : edited}
          onSaved={agents.reload}
          onClose={() => setEdited(undefined)}
        />
      )}
      {withTokens !== undefined && <AgentTokens agent={withTokens} onClose={() => setWithTokens(undefined)} />}
      {deleted !== undefined && (
        <Confirm
          title={`Delete ${deleted.display_name}?`}
          action="Delete"
          onConfirm={() => void change(() => parley.owner.deleteAgent(deleted.agent_id))}
          onClose={() => setDeleted(undefined)}
        >
          It answers nobody any more, and its tokens are dead. What it said stays. This cannot be undone.
        </Confirm>
      )}
    </>
  );
}

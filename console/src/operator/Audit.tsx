import type { AuditAct } from "@parley/client";
import { useMe, useParley } from "../connection/context";
import { Listing } from "./Listing";
import { More } from "./More";
import { Records, type Column } from "./Records";
import { Time } from "./Time";
import { usePages } from "./usePages";

const ACTS: Record<string, string> = {
  "integration_key.created": "Made an integration key",
  "integration_key.revoked": "Revoked an integration key",
  "delivery.replayed": "Sent a dead letter again",
};

/** What operators did, the newest first. */
export function Audit() {
  const parley = useParley();
  const me = useMe();
  const acts = usePages<AuditAct>(async (last, signal) => {
    const page = await parley.operator.audit({ before: last?.audit_id, limit: 50, signal });
    return { items: page.acts, more: page.has_more };
  });
  const columns: Column<AuditAct>[] = [
    { head: "What", kind: "main", cell: (act) => <span title={act.action}>{ACTS[act.action] ?? act.action}</span> },
    { head: "When", cell: (act) => <Time at={act.at} exact /> },
    { head: "Who", cell: (act) => (act.sender_id === me.sender_id ? "You" : <code>{act.sender_id}</code>) },
    { head: "Subject", cell: (act) => <code>{act.subject}</code> },
  ];
  return (
    <Listing loaded={acts} isEmpty={(list) => list.length === 0} empty="No operator has done anything yet.">
      {(list) => (
        <>
          <Records caption="What operators did" rows={list} columns={columns} keyOf={(act) => act.audit_id} />
          <More pages={acts} />
        </>
      )}
    </Listing>
  );
}

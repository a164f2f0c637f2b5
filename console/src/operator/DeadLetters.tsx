import type { DeliveryView } from "@parley/client";
import { useState } from "react";
import { runAddress, threadAddress } from "../app/route";
import { useParley } from "../connection/context";
import { Button } from "../ui/Button";
import { Confirm } from "../ui/Confirm";
import { DeliveryBadge } from "../ui/DeliveryBadge";
import { Dialog } from "../ui/Dialog";
import { Failure } from "../ui/Failure";
import { Facts } from "./Facts";
import { Listing } from "./Listing";
import { More } from "./More";
import { Records, type Column } from "./Records";
import { Time } from "./Time";
import { useAction } from "./useAction";
import { usePages } from "./usePages";

/** Replies to chat platforms that did not arrive, or of which nobody knows. */
export function DeadLetters() {
  const parley = useParley();
  const [shown, setShown] = useState<DeliveryView>();
  const [replayed, setReplayed] = useState<DeliveryView>();
  const replay = useAction();
  const letters = usePages<DeliveryView>(async (last, signal) => {
    const page = await parley.operator.deadLetters({ before: last?.delivery_id, limit: 50, signal });
    return { items: page.deliveries, more: page.has_more };
  });

  async function sendAgain({ delivery_id }: DeliveryView): Promise<void> {
    await replay.act(() => parley.operator.replay(delivery_id));
    letters.reload();
  }

  const columns: Column<DeliveryView>[] = [
    { head: "Where to", kind: "main", cell: (each) => <span dir="auto">{`${each.source} ${each.channel}`}</span> },
    { head: "State", cell: (each) => <DeliveryBadge state={each.state} /> },
    { head: "Why", cell: (each) => <span dir="auto">{each.problem ?? "–"}</span> },
    { head: "Attempts", kind: "number", cell: (each) => each.attempts },
    { head: "Ended", cell: (each) => <Time at={each.ended_at} /> },
    {
      head: "Actions",
      kind: "actions",
      cell: (each) => (
        <>
          <Button onClick={() => setShown(each)}>Details</Button>
          <Button disabled={replay.busy} onClick={() => setReplayed(each)}>
            Send again
          </Button>
        </>
      ),
    },
  ];

  return (
    <>
      <p className="quiet">Replies that a platform refused, or that were tried for too long.</p>
      {replay.error !== undefined && <Failure error={replay.error} />}
      <Listing loaded={letters} isEmpty={(list) => list.length === 0} empty="Every reply has arrived, or is on its way.">
        {(list) => (
          <>
            <Records caption="Dead letters" rows={list} columns={columns} keyOf={(each) => each.delivery_id} />
            <More pages={letters} />
          </>
        )}
      </Listing>
      {shown !== undefined && <Details letter={shown} onClose={() => setShown(undefined)} />}
      {replayed !== undefined && (
        <Confirm
          title="Send this reply again?"
          action="Send again"
          onConfirm={() => void sendAgain(replayed)}
          onClose={() => setReplayed(undefined)}
        >
          {replayed.state === "uncertain"
            ? "Nobody knows whether it arrived. If it did, it will be there twice."
            : `It goes to ${replayed.source} as if it had never been tried.`}
        </Confirm>
      )}
    </>
  );
}

function Details({ letter, onClose }: { letter: DeliveryView; onClose: () => void }) {
  return (
    <Dialog title="Dead letter" onClose={onClose}>
      <Facts
        facts={[
          ["Platform", letter.source],
          ["Workspace", letter.workspace || "–"],
          ["Channel", letter.channel],
          ["Thread there", letter.external_thread || "–"],
          ["Part", `${letter.part} of ${letter.parts}`],
          ["State", <DeliveryBadge key="state" state={letter.state} />],
          ["Why", letter.problem ?? "–"],
          ["Attempts", letter.attempts],
          ["Made", <Time key="made" at={letter.created_at} />],
          ["Ended", <Time key="ended" at={letter.ended_at} />],
          ["Message", <a key="thread" href={threadAddress(letter.thread_id)}>{`Entry ${letter.thread_seq}`}</a>],
          ["Run", letter.run_id && <a key="run" href={runAddress(letter.thread_id, letter.run_id)}>What the agent did</a>],
          ["Id", <code key="id">{letter.delivery_id}</code>],
        ]}
      />
      <div className="dialog-actions">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

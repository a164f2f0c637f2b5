import type { WebhookView } from "@parley/client";
import { Badge } from "../../ui/Badge";
import { Button } from "../../ui/Button";
import type { Column } from "../Records";
import { Time } from "../Time";

interface WebhookActs {
  busy: boolean;
  onEnable: (webhook: WebhookView) => void;
  onResend: (webhook: WebhookView) => void;
  onDelete: (webhook: WebhookView) => void;
}

/** What is shown of a webhook, and what can be done with it. */
export function webhookColumns({ busy, onEnable, onResend, onDelete }: WebhookActs): Column<WebhookView>[] {
  return [
    { head: "Address", kind: "main", cell: (each) => <span dir="ltr">{each.callback_url}</span> },
    { head: "State", cell: (each) => <State webhook={each} /> },
    { head: "Made", cell: (each) => <Time at={each.created_at} /> },
    {
      head: "Actions",
      kind: "actions",
      cell: (each) => (
        <>
          {each.state === "off" && (
            <Button disabled={busy} onClick={() => onEnable(each)}>
              Switch on
            </Button>
          )}
          <Button disabled={busy} onClick={() => onResend(each)}>
            Send again
          </Button>
          <Button look="danger" disabled={busy} onClick={() => onDelete(each)}>
            Delete
          </Button>
        </>
      ),
    },
  ];
}

function State({ webhook }: { webhook: WebhookView }) {
  const failing = webhook.failing_since !== null;
  const words = webhook.state === "off" ? "switched off" : failing ? "failing" : "on";
  const tone = webhook.state === "off" ? "bad" : failing ? "warn" : "good";
  return (
    <>
      <Badge tone={tone}>{words}</Badge>
      {failing && (
        <span className="small quiet operate-why" dir="auto">
          {webhook.problem ?? "No answer"} ({webhook.failures} {webhook.failures === 1 ? "failure" : "failures"} since{" "}
          <Time at={webhook.failing_since} />)
        </span>
      )}
    </>
  );
}

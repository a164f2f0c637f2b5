import type { WebhookView } from "@parley/client";
import { useState, type FormEvent } from "react";
import { useParley } from "../../connection/context";
import { Button } from "../../ui/Button";
import { Confirm } from "../../ui/Confirm";
import { Failure } from "../../ui/Failure";
import { Field } from "../../ui/Field";
import { useLoaded } from "../../ui/useLoaded";
import { Listing } from "../Listing";
import { Records } from "../Records";
import { ShownOnce } from "../ShownOnce";
import { faultBeside, faultOf, useAction } from "../useAction";
import { webhookColumns } from "./webhookColumns";

/** The webhooks of one conversation: make one, see how they do, switch them on, send again, delete. */
export function ThreadWebhooks({ threadId }: { threadId: string }) {
  const parley = useParley();
  const { webhooks } = parley.thread(threadId);
  const listed = useLoaded((signal) => webhooks.list({ signal }), [parley, threadId]);
  const [url, setUrl] = useState("");
  const [made, setMade] = useState<WebhookView>();
  const [deleted, setDeleted] = useState<WebhookView>();
  const [resent, setResent] = useState<WebhookView>();
  const making = useAction();
  const changing = useAction();

  async function make(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (await making.act(async () => setMade(await webhooks.create(url.trim())))) {
      setUrl("");
    }
    listed.reload();
  }

  async function change(what: () => Promise<unknown>): Promise<void> {
    await changing.act(what);
    listed.reload();
  }

  const columns = webhookColumns({
    busy: changing.busy,
    onEnable: ({ webhook_id }) => void change(() => webhooks.enable(webhook_id)),
    onResend: setResent,
    onDelete: setDeleted,
  });
  const beside = faultBeside(making.error, "callback_url") ?? changing.error;

  return (
    <section className="operate-section" aria-label="Webhooks of the conversation">
      <form className="operate-line" onSubmit={(event) => void make(event)}>
        <Field label="Address" hint="https, and not a private address." error={faultOf(making.error, "callback_url")}>
          {(control) => (
            <input
              {...control}
              type="url"
              value={url}
              placeholder="https://hooks.example.org/parley"
              required
              onChange={(event) => setUrl(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" look="primary" disabled={making.busy}>
          Make a webhook
        </Button>
      </form>
      {beside !== undefined && <Failure error={beside} />}
      <Listing loaded={listed} isEmpty={(list) => list.length === 0} empty="Nobody is told of this conversation.">
        {(list) => <Records caption="Webhooks" rows={list} columns={columns} keyOf={(each) => each.webhook_id} />}
      </Listing>
      {made?.secret !== undefined && (
        <ShownOnce title="Secret of the webhook" secret={made.secret} onClose={() => setMade(undefined)}>
          By it whoever is called can tell that a call is ours.
        </ShownOnce>
      )}
      {resent !== undefined && (
        <Confirm
          title="Send everything again?"
          action="Send again"
          onConfirm={() => void change(() => webhooks.redeliver(resent.webhook_id))}
          onClose={() => setResent(undefined)}
        >
          All events of the conversation are posted once more, each under the id that it had.
        </Confirm>
      )}
      {deleted !== undefined && (
        <Confirm
          title="Delete the webhook?"
          action="Delete"
          onConfirm={() => void change(() => webhooks.delete(deleted.webhook_id))}
          onClose={() => setDeleted(undefined)}
        >
          {`${deleted.callback_url} is told nothing from now on. This cannot be undone.`}
        </Confirm>
      )}
    </section>
  );
}

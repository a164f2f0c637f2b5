import { part, type CallOptions } from "./request.js";
import type { Transport } from "./transport.js";
import type { NewWebhook, RedeliveryWish, WebhookPage, WebhookView } from "./types/delivery.js";

/** Who is told of one thread's events by calls of the server's own. */
export class Webhooks {
  readonly #transport: Transport;
  readonly #path: string;

  constructor(transport: Transport, thread: string) {
    this.#transport = transport;
    this.#path = `${thread}/webhooks`;
  }

  /**
   * Has every event from now on posted to a URL, signed with a `secret` that is shown this once. Sent once: if no answer
   * comes, a webhook whose secret nobody knows may be in the list and should be deleted.
   */
  create(callbackUrl: string, options?: CallOptions): Promise<WebhookView> {
    const body: NewWebhook = { callback_url: callbackUrl };
    return this.#transport.call({ method: "POST", path: this.#path, body, once: true, signal: options?.signal });
  }

  /** One's own; whoever manages the thread sees all of them. */
  async list(options?: CallOptions): Promise<WebhookView[]> {
    return (await this.#transport.get<WebhookPage>(this.#path, options)).webhooks;
  }

  delete(webhookId: string, options?: CallOptions): Promise<void> {
    return this.#transport.remove(`${this.#path}/${part(webhookId)}`, options);
  }

  /** Switches one on again; it goes on where it was switched off. */
  enable(webhookId: string, options?: CallOptions): Promise<WebhookView> {
    const path = `${this.#path}/${part(webhookId)}/enable`;
    return this.#transport.call({ method: "POST", path, signal: options?.signal });
  }

  /** Sends what comes behind a seq once more, or everything; each event has the id that it had. Sent once. */
  redeliver(webhookId: string, afterSeq?: number, options?: CallOptions): Promise<WebhookView> {
    const path = `${this.#path}/${part(webhookId)}/redeliver`;
    const body: RedeliveryWish = { after_seq: afterSeq ?? null };
    return this.#transport.call({ method: "POST", path, body, once: true, signal: options?.signal });
  }
}

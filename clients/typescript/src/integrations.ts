import { query, type CallOptions } from "./request.js";
import type { Transport } from "./transport.js";
import type { MessageTrace, MessageTracePage } from "./types/integrations.js";

/** Which message of which platform is asked about. */
export interface TraceQuery extends CallOptions {
  source: string;
  /** What the platform calls the message. */
  external_message_id: string;
  workspace_id?: string | undefined;
  channel_external_id?: string | undefined;
}

/** What other platforms brought. */
export class Integrations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Why a message was answered, or was not: what came, what was decided, the run, and what became of the answer. */
  async trace({ signal, ...wanted }: TraceQuery): Promise<MessageTrace[]> {
    const path = `/api/v1/integrations/messages${query(wanted)}`;
    return (await this.#transport.get<MessageTracePage>(path, { signal })).traces;
  }
}

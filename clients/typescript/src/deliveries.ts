import { query, type CallOptions } from "./request.js";
import type { Transport } from "./transport.js";
import type { DeliveryPage } from "./types/delivery.js";

/** Which replies to show: those said after a seq, or all. */
export interface DeliveryQuery extends CallOptions {
  after?: number | undefined;
  /** At most 200. */
  limit?: number | undefined;
}

/** What became of one thread's replies to chat platforms. */
export class Deliveries {
  readonly #transport: Transport;
  readonly #path: string;

  constructor(transport: Transport, thread: string) {
    this.#transport = transport;
    this.#path = `${thread}/deliveries`;
  }

  /** Each part of each reply, in the order in which they were said. */
  list({ after, limit, signal }: DeliveryQuery = {}): Promise<DeliveryPage> {
    return this.#transport.get(this.#path + query({ after_seq: after, limit }), { signal });
  }
}

import { parseFigures, type Figures } from "./figures.js";
import { part, query, type CallOptions } from "./request.js";
import type { Transport } from "./transport.js";
import type { DeliveryPage, DeliveryView } from "./types/delivery.js";
import type {
  AuditPage,
  IntegrationKeyPage,
  IntegrationKeyView,
  NewIntegrationKey,
  NodeList,
  NodeView,
} from "./types/operator.js";

const OPERATOR = "/api/v1/operator";
const KEYS = `${OPERATOR}/integration-keys`;

/** Which part of a list to show, the newest first. */
export interface NewestFirst<Id> extends CallOptions {
  /** Only what stands behind this one: the last of the page before. */
  before?: Id | undefined;
  /** At most 200. */
  limit?: number | undefined;
}

/** What only operators may do. */
export class Operator {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Makes a key for an integration, whose raw value is shown this once. Sent once: if no answer comes, a key that
   * nobody knows may be among `integrationKeys` and should be revoked.
   */
  createIntegrationKey(source: string, options?: CallOptions): Promise<IntegrationKeyView> {
    const body: NewIntegrationKey = { source };
    return this.#transport.call({ method: "POST", path: KEYS, body, once: true, signal: options?.signal });
  }

  /** Those that are live; those of the server's configuration are not among them. */
  async integrationKeys(options?: CallOptions): Promise<IntegrationKeyView[]> {
    return (await this.#transport.get<IntegrationKeyPage>(KEYS, options)).keys;
  }

  revokeIntegrationKey(keyId: string, options?: CallOptions): Promise<void> {
    return this.#transport.remove(`${KEYS}/${part(keyId)}`, options);
  }

  /** Replies that did not arrive, or of which nobody can find out whether they did. */
  deadLetters({ before, limit, signal }: NewestFirst<string> = {}): Promise<DeliveryPage> {
    return this.#transport.get(`${OPERATOR}/dead-letters${query({ before, limit })}`, { signal });
  }

  /** Sends a reply again, as if it had never been tried. An uncertain one may then be there twice, so this is sent once. */
  replay(deliveryId: string, options?: CallOptions): Promise<DeliveryView> {
    const path = `${OPERATOR}/dead-letters/${part(deliveryId)}/replay`;
    return this.#transport.call({ method: "POST", path, once: true, signal: options?.signal });
  }

  /** What operators did. */
  audit({ before, limit, signal }: NewestFirst<number> = {}): Promise<AuditPage> {
    return this.#transport.get(`${OPERATOR}/audit${query({ before, limit })}`, { signal });
  }

  /** The servers that share the database, those that are there first; silent ones for a day. */
  async nodes(options?: CallOptions): Promise<NodeView[]> {
    return (await this.#transport.get<NodeList>(`${OPERATOR}/nodes`, options)).nodes;
  }

  /** What the server counts and measures, as it is now. */
  figures(options?: CallOptions): Promise<Figures> {
    return this.#transport.call({ method: "GET", path: "/metrics", read: parseFigures, signal: options?.signal });
  }
}

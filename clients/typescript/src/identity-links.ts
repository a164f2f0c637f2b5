import { part, type CallOptions } from "./request.js";
import type { Transport } from "./transport.js";
import type { IdentityLinkPage, IdentityLinkView, NewIdentityLink } from "./types/integrations.js";

const LINKS = "/api/v1/auth/identity-links";

/** Who the caller is on other platforms. */
export class IdentityLinks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Begins a link. Its `message`, shown this once, is then to be said on the platform. Sent once. */
  begin(link: NewIdentityLink, options?: CallOptions): Promise<IdentityLinkView> {
    return this.#transport.call({ method: "POST", path: LINKS, body: link, once: true, signal: options?.signal });
  }

  /** Those that are made, and those begun that can still be made. */
  async list(options?: CallOptions): Promise<IdentityLinkView[]> {
    return (await this.#transport.get<IdentityLinkPage>(LINKS, options)).links;
  }

  remove(linkId: string, options?: CallOptions): Promise<void> {
    return this.#transport.remove(`${LINKS}/${part(linkId)}`, options);
  }
}

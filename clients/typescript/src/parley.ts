import { Attachments } from "./attachments.js";
import type { StreamOptions } from "./frames.js";
import { History } from "./history.js";
import { IdentityLinks } from "./identity-links.js";
import { InboxStream } from "./inbox.js";
import { Integrations } from "./integrations.js";
import { Operator } from "./operator.js";
import { Owner, type UsableAgent } from "./owner.js";
import type { CallOptions } from "./request.js";
import { Runs } from "./runs.js";
import { settingsOf, type ConnectOptions } from "./settings.js";
import { ThreadClient } from "./thread.js";
import { Threads } from "./threads.js";
import { Transport } from "./transport.js";
import type { Caller } from "./types/chat.js";
import type { SignIn } from "./types/sign-in.js";
import { WatchStream } from "./watch-stream.js";

/** A client of one Parley server. It holds no connection of its own, so there is nothing to close but streams. */
export class Parley {
  readonly threads: Threads;
  /** What agents do: their runs, and the events of these. */
  readonly runs: Runs;
  /** What was said, day by day. */
  readonly history: History;
  /** Images that go with messages. */
  readonly attachments: Attachments;
  /** What the caller owns. */
  readonly owner: Owner;
  /** Who the caller is on other platforms. */
  readonly identityLinks: IdentityLinks;
  /** What other platforms brought. */
  readonly integrations: Integrations;
  /** What only operators may do. */
  readonly operator: Operator;
  readonly #transport: Transport;

  private constructor(transport: Transport) {
    this.#transport = transport;
    this.threads = new Threads(transport);
    this.runs = new Runs(transport);
    this.history = new History(transport);
    this.attachments = new Attachments(transport);
    this.owner = new Owner(transport);
    this.identityLinks = new IdentityLinks(transport);
    this.integrations = new Integrations(transport);
    this.operator = new Operator(transport);
  }

  /** Nothing is sent before the first call. */
  static connect(options: ConnectOptions): Parley {
    return new Parley(new Transport(settingsOf(options)));
  }

  thread(threadId: string): ThreadClient {
    return new ThreadClient(this.#transport, threadId);
  }

  /** Follows all of the caller's threads at once, as hints that something changed. */
  inbox(options?: StreamOptions): InboxStream {
    return new InboxStream(this.#transport, options);
  }

  /** Hints of all of the caller's threads, and all that happens in those that are watched, by one connection. */
  stream(options?: StreamOptions): WatchStream {
    return new WatchStream(this.#transport, options);
  }

  /** How people sign in here; asked without a token. */
  signIn(options?: CallOptions): Promise<SignIn> {
    const path = "/api/v1/auth/sign-in";
    return this.#transport.call({ method: "GET", path, anonymous: true, signal: options?.signal });
  }

  /** The agents that the caller may ask: its own, and those that are shared. */
  async usableAgents(options?: CallOptions): Promise<UsableAgent[]> {
    const path = "/api/v1/agui/info";
    const { agents } = await this.#transport.get<{ agents: Record<string, Omit<UsableAgent, "isDefault">> }>(path, options);
    // The server's default agent is listed twice: under its id, and as `default`.
    const { default: standard, ...byId } = agents;
    return Object.entries(byId).map(([agentId, { name, kind }]) => {
      return { agentId, name, kind, isDefault: agentId === standard?.agentId };
    });
  }

  /** Who the server takes the caller for. */
  whoAmI(options?: CallOptions): Promise<Caller> {
    return this.#transport.get("/api/v1/auth/me", options);
  }

  /**
   * A ticket that opens one stream without a header, as `?ticket=`, for a plain EventSource.
   *
   * @param path such as `thread.streamPath`
   */
  async streamTicket(path: string, options?: CallOptions): Promise<string> {
    const request = { method: "POST", path: "/api/v1/auth/stream-tickets", body: { path }, ...options };
    return (await this.#transport.call<{ ticket: string }>(request)).ticket;
  }
}

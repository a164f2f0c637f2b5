import { freshId } from "./ids.js";
import { part, type CallOptions } from "./request.js";
import type { Transport } from "./transport.js";
import type {
  AgentKind,
  AgentPage,
  AgentTokenPage,
  AgentTokenView,
  AgentView,
  NewAgent,
  NewAgentToken,
} from "./types/owner.js";

const AGENTS = "/api/v1/owner/agents";
const TOKENS = "/api/v1/owner/external-agents/tokens";

/** An agent that the caller may ask, its own or not. */
export interface UsableAgent {
  readonly agentId: string;
  readonly name: string;
  readonly kind: AgentKind;
  /** Whether it answers where neither the caller nor the thread names an agent. */
  readonly isDefault: boolean;
}

/** What a user owns: agents, and the tokens by which external ones call. */
export class Owner {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Makes an agent once, however often it has to be sent. */
  createAgent(agent: NewAgent, options?: CallOptions): Promise<AgentView> {
    return this.#transport.call({ method: "POST", path: AGENTS, body: agent, key: freshId(), signal: options?.signal });
  }

  async agents(options?: CallOptions): Promise<AgentView[]> {
    return (await this.#transport.get<AgentPage>(AGENTS, options)).agents;
  }

  agent(agentId: string, options?: CallOptions): Promise<AgentView> {
    return this.#transport.get(`${AGENTS}/${part(agentId)}`, options);
  }

  /** Changes what is said; what is not said stays as it is. */
  changeAgent(agentId: string, changes: NewAgent, options?: CallOptions): Promise<AgentView> {
    const path = `${AGENTS}/${part(agentId)}`;
    return this.#transport.call({ method: "PATCH", path, body: changes, signal: options?.signal });
  }

  deleteAgent(agentId: string, options?: CallOptions): Promise<void> {
    return this.#transport.remove(`${AGENTS}/${part(agentId)}`, options);
  }

  /**
   * Makes a token, whose raw value is shown this once. Sent once: if no answer comes, a token that nobody knows may be
   * among `tokens` and should be revoked.
   */
  createToken(token: NewAgentToken, options?: CallOptions): Promise<AgentTokenView> {
    return this.#transport.call({ method: "POST", path: TOKENS, body: token, once: true, signal: options?.signal });
  }

  async tokens(options?: CallOptions): Promise<AgentTokenView[]> {
    return (await this.#transport.get<AgentTokenPage>(TOKENS, options)).tokens;
  }

  revokeToken(tokenId: string, options?: CallOptions): Promise<void> {
    return this.#transport.remove(`${TOKENS}/${part(tokenId)}`, options);
  }
}

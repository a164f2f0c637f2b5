import { part, type CallOptions } from "./request.js";
import type { Transport } from "./transport.js";
import type { Actor, Caller, ParticipationMode, ThreadView } from "./types/chat.js";

/** The participants of one thread, and when the agents among them answer. */
export class Participants {
  readonly #transport: Transport;
  readonly #thread: string;

  constructor(transport: Transport, thread: string) {
    this.#transport = transport;
    this.#thread = thread;
  }

  /** Brings others in; those who are in already stay as they are. */
  add(senderIds: Actor[], options?: CallOptions): Promise<ThreadView> {
    const path = `${this.#thread}/participants`;
    return this.#transport.call({ method: "POST", path, body: { sender_ids: senderIds }, signal: options?.signal });
  }

  /** Sets all that a participant may do from now on, such as `can_read`. */
  allow(senderId: Actor, capabilities: string[], options?: CallOptions): Promise<ThreadView> {
    const path = `${this.#thread}/participants/${part(senderId)}`;
    return this.#transport.call({ method: "PATCH", path, body: { capabilities }, signal: options?.signal });
  }

  remove(senderId: Actor, options?: CallOptions): Promise<void> {
    return this.#transport.remove(`${this.#thread}/participants/${part(senderId)}`, options);
  }

  /** Takes the caller out. */
  async leave(options?: CallOptions): Promise<void> {
    const me = await this.#transport.get<Caller>("/api/v1/auth/me", options);
    await this.remove(me.sender_id, options);
  }

  /**
   * Sets the mode of the thread, or of one agent.
   *
   * @param mode null takes an agent's exception back, so that the thread's own mode holds for it
   */
  async setMode(mode: ParticipationMode | null, agentId?: Actor, options?: CallOptions): Promise<void> {
    const body = { participation_mode: mode, agent_id: agentId ?? null };
    await this.#transport.call({ method: "POST", path: `${this.#thread}/mode`, body, signal: options?.signal });
  }
}

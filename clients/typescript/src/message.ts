import { part, type CallOptions } from "./request.js";
import type { Transport } from "./transport.js";
import type { Message } from "./types/chat.js";

/** Second thoughts about one message. Each is an entry of the log; doing the same one twice adds nothing. */
export class MessageClient {
  readonly #transport: Transport;
  readonly #path: string;

  constructor(transport: Transport, path: string) {
    this.#transport = transport;
    this.#path = path;
  }

  edit(content: string, options?: CallOptions): Promise<Message> {
    return this.#transport.call({ method: "PATCH", path: this.#path, body: { content }, signal: options?.signal });
  }

  /** Takes the message back; its place in the log stays. */
  delete(options?: CallOptions): Promise<void> {
    return this.#transport.remove(this.#path, options);
  }

  react(emoji: string, options?: CallOptions): Promise<Message> {
    return this.#transport.call({ method: "PUT", path: this.#reaction(emoji), signal: options?.signal });
  }

  unreact(emoji: string, options?: CallOptions): Promise<Message> {
    return this.#transport.call({ method: "DELETE", path: this.#reaction(emoji), signal: options?.signal });
  }

  #reaction(emoji: string): string {
    return `${this.#path}/reactions/${part(emoji)}`;
  }
}

import type { Message } from "@parley/client";
import { callsOf, runOf, textFact } from "./facts";

/** Finds messages that were read by what others say of them. */
export class MessageIndex {
  readonly #ids = new Map<string, number>();
  /** The keys under which users' messages were sent. */
  readonly #keys = new Set<string>();
  readonly #callers = new Map<string, number>();
  readonly #results = new Map<string, number>();
  readonly #lastOfRun = new Map<string, number>();
  /** The runs that users' messages started. */
  readonly #asked = new Set<string>();

  add(message: Message): void {
    const seq = message.thread_seq;
    const streamed = textFact(message, "message_id");
    const runId = runOf(message);
    this.#ids.set(message.id, seq);
    if (streamed !== undefined) {
      this.#ids.set(streamed, seq);
    }
    keysOf(message).forEach((key) => this.#keys.add(key));
    callsOf(message).forEach((call) => this.#callers.set(call.id, seq));
    const answered = message.role === "tool" ? textFact(message, "tool_call_id") : undefined;
    if (answered !== undefined) {
      this.#results.set(answered, seq);
    }
    const runs = message.engagement?.flatMap((each) => each.run_id ?? []) ?? [];
    for (const run of runId === undefined ? runs : [...runs, runId]) {
      if (message.role === "user") {
        this.#asked.add(run);
      }
      this.#lastOfRun.set(run, Math.max(seq, this.#lastOfRun.get(run) ?? 0));
    }
  }

  rebuild(messages: Iterable<Message>): void {
    [this.#ids, this.#keys, this.#callers, this.#results, this.#lastOfRun, this.#asked].forEach((each) => each.clear());
    for (const message of messages) {
      this.add(message);
    }
  }

  seqOf(messageId: string): number | undefined {
    return this.#ids.get(messageId);
  }

  hasArrived(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Where the message stands that calls a tool. */
  callerOf(callId: string): number | undefined {
    return this.#callers.get(callId);
  }

  /** Where the answer to a call stands. */
  resultOf(callId: string): number | undefined {
    return this.#results.get(callId);
  }

  /** Whether a message says that it started a run. One that was answered again names the first only. */
  isAsked(runId: string): boolean {
    return this.#asked.has(runId);
  }

  lastOfRun(runId: string): number | undefined {
    return this.#lastOfRun.get(runId);
  }
}

/** The keys under which a message may have been sent. */
export function keysOf(message: Message): string[] {
  return message.role === "user"
    ? [message.id, message.client_message_id, runOf(message)].filter((each) => typeof each === "string")
    : [];
}

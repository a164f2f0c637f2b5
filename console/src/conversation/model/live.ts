import type { Message } from "@parley/client";
import type { LiveEvent } from "../../connection/line";
import { atOf, memberOf, runIdOf, speakerOf, type Spoken } from "./event";
import { textFact, textOf, thoughtsOf } from "./facts";
import type { Growing, GrowingCall } from "./growing";

/**
 * What runs say while they say it: events become messages that grow. What is committed is left alone, so events that are
 * told again change nothing.
 */
export class Live {
  readonly #growing = new Map<string, Growing>();
  /** Where somebody thinks; what was thought goes with what is said next. */
  readonly #thinking = new Map<string, string>();
  readonly #callKeys = new Map<string, string>();
  readonly #members = new Map<string, string>();
  readonly #results = new Map<string, string>();
  readonly #stages = new Map<string, string>();
  /** How long was thought, by the thought's id; the log does not say it. */
  readonly #durations = new Map<string, number>();
  readonly #isCommitted: (messageId: string) => boolean;
  readonly #knownThoughts = new Set<string>();

  constructor(isCommitted: (messageId: string) => boolean) {
    this.#isCommitted = isCommitted;
  }

  messages(): Growing[] {
    return [...this.#growing.values()];
  }

  memberName(member: string | undefined): string | undefined {
    return member === undefined ? undefined : this.#members.get(member);
  }

  /** What a tool answered, before that is committed. */
  result(callId: string): string | undefined {
    return this.#results.get(callId);
  }

  thoughtMs(thoughtId: string): number | undefined {
    return this.#durations.get(thoughtId);
  }

  clear(): void {
    [this.#growing, this.#thinking, this.#callKeys, this.#results, this.#stages].forEach((each) => each.clear());
  }

  apply(event: LiveEvent): void {
    const { messageId = "", delta = "", toolCallId = "" } = event as Spoken;
    switch (event.type) {
      case "TEXT_MESSAGE_START":
        this.#open(event, messageId);
        break;
      case "TEXT_MESSAGE_CONTENT":
        this.#change(this.#open(event, messageId), (it) => ({ ...it, text: it.text + delta }));
        break;
      case "TOOL_CALL_START":
        this.#startCall(event, toolCallId);
        break;
      case "TOOL_CALL_ARGS":
        this.#changeCall(toolCallId, (call) => ({ ...call, args: call.args + delta }));
        break;
      case "TOOL_CALL_END":
        this.#changeCall(toolCallId, (call) => ({ ...call, isAsked: true }));
        break;
      case "TOOL_CALL_RESULT":
        this.#results.set(toolCallId, textOf(event["content"]));
        this.#change(this.#callKeys.get(toolCallId), (it) => ({ ...it }));
        break;
      case "REASONING_MESSAGE_START":
      case "REASONING_MESSAGE_CONTENT":
        this.#think(event, messageId, delta);
        break;
      case "REASONING_MESSAGE_END":
        this.#endThought(event, messageId);
        break;
      case "STEP_STARTED":
        this.#stages.set(speakerOf(event), String(event["stepName"]));
        break;
      case "STEP_FINISHED":
        this.#stages.delete(speakerOf(event));
        break;
      case "SUBAGENT_STARTED":
        this.#members.set(String(event["subagentRunId"]), String(event["name"]));
        break;
    }
  }

  /** A message is committed: what grew in its place is taken away. Returns the key that it had. */
  commit(message: Message): string | undefined {
    thoughtsOf(message).forEach((thought) => this.#knownThoughts.add(thought.id));
    const streamed = textFact(message, "message_id") ?? message.id;
    const found = this.messages().find((each) => each.id === message.id || each.id === streamed);
    if (found !== undefined) {
      this.#growing.delete(found.key);
    }
    return found?.key;
  }

  /** A run is over, and all that it committed was read: what else of it grew never will be. */
  forget(runId: string): void {
    for (const [key, each] of this.#growing) {
      if (each.runId === runId) {
        this.#growing.delete(key);
      }
    }
    for (const speaker of this.#thinking.keys()) {
      if (speaker.startsWith(`${runId} `)) {
        this.#thinking.delete(speaker);
      }
    }
  }

  /** Begins a message, or goes on with one. Returns its key; none if it is committed. */
  #open(event: LiveEvent, id: string): string | undefined {
    const known = this.messages().find((each) => each.id === id);
    if (known !== undefined) {
      return known.key;
    }
    const thinking = this.#thinking.get(speakerOf(event));
    this.#thinking.delete(speakerOf(event));
    if (this.#isCommitted(id)) {
      return undefined;
    }
    if (thinking !== undefined && this.#growing.has(thinking)) {
      this.#change(thinking, (it) => ({ ...it, id, stage: this.#stages.get(speakerOf(event)) }));
      return thinking;
    }
    return this.#add(event, id);
  }

  #add(event: LiveEvent, id: string): string {
    const key = `live:${id}`;
    const stage = this.#stages.get(speakerOf(event));
    const begun = { key, id, runId: runIdOf(event), member: memberOf(event), stage, text: "", thoughts: [], calls: [] };
    this.#growing.set(key, begun);
    return key;
  }

  #change(key: string | undefined, change: (growing: Growing) => Growing): void {
    const growing = key === undefined ? undefined : this.#growing.get(key);
    if (growing !== undefined) {
      this.#growing.set(growing.key, change(growing));
    }
  }

  #startCall(event: LiveEvent, callId: string): void {
    const key = this.#open(event, (event["parentMessageId"] as string | undefined) ?? callId);
    if (key !== undefined && !this.#growing.get(key)?.calls.some((call) => call.id === callId)) {
      this.#callKeys.set(callId, key);
      const call = { id: callId, name: String(event["toolCallName"]), args: "", isAsked: false };
      this.#change(key, (it) => ({ ...it, calls: [...it.calls, call] }));
    }
  }

  #changeCall(callId: string, change: (call: GrowingCall) => GrowingCall): void {
    const changed = (it: Growing): GrowingCall[] => it.calls.map((call) => (call.id === callId ? change(call) : call));
    this.#change(this.#callKeys.get(callId), (it) => ({ ...it, calls: changed(it) }));
  }

  #think(event: LiveEvent, id: string, delta: string): void {
    if (this.#knownThoughts.has(id)) {
      return;
    }
    const speaker = speakerOf(event);
    const key = this.#thinking.get(speaker) ?? this.#add(event, `thought:${id}`);
    this.#thinking.set(speaker, key);
    this.#change(key, (it) => {
      const known = it.thoughts.some((each) => each.id === id);
      const thoughts = known ? it.thoughts : [...it.thoughts, { id, text: "", startedAt: atOf(event), endedAt: undefined }];
      return { ...it, thoughts: thoughts.map((each) => (each.id === id ? { ...each, text: each.text + delta } : each)) };
    });
  }

  #endThought(event: LiveEvent, id: string): void {
    this.#change(this.#thinking.get(speakerOf(event)), (it) => ({
      ...it,
      thoughts: it.thoughts.map((each) => {
        if (each.id !== id) {
          return each;
        }
        this.#durations.set(id, Math.max(0, atOf(event) - each.startedAt));
        return { ...each, endedAt: atOf(event) };
      }),
    }));
  }
}

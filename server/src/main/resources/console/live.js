/**
 * What runs say while they say it: events become messages that grow. A message that is committed is left alone, so events
 * that are told again change nothing.
 */
import { MessageView } from "./message.js";

export class Live {
  #log;
  #sign;
  /** Who thinks, by the run and member of a team: what it has thought goes with what it says next. */
  #thinking = new Map();
  #thoughts = new Map();
  #calls = new Map();
  #members = new Map();
  #known = new Set();

  /** @param sign called with a view and its event, to say who speaks */
  constructor(log, sign) {
    this.#log = log;
    this.#sign = sign;
  }

  clear() {
    for (const each of [this.#thinking, this.#thoughts, this.#calls, this.#members, this.#known]) {
      each.clear();
    }
  }

  memberName(id) {
    return this.#members.get(id);
  }

  apply(event) {
    switch (event.type) {
      case "TEXT_MESSAGE_START":
        this.#open(event, event.messageId);
        break;
      case "TEXT_MESSAGE_CONTENT":
        this.#addText(event);
        break;
      case "TEXT_MESSAGE_END":
        this.#log.find(event.messageId)?.element.classList.remove("growing");
        break;
      case "TOOL_CALL_START":
        this.#startCall(event);
        break;
      case "TOOL_CALL_ARGS":
        this.#addArguments(event);
        break;
      case "TOOL_CALL_RESULT":
        this.#showResult(event);
        break;
      case "REASONING_MESSAGE_START":
        this.#think(event);
        break;
      case "REASONING_MESSAGE_CONTENT":
        this.#think(event)?.add(event.delta);
        break;
      case "SUBAGENT_STARTED":
        this.#members.set(event.subagentRunId, event.name);
        break;
    }
  }

  #addText(event) {
    const view = this.#log.find(event.messageId) ?? this.#open(event, event.messageId);
    if (!view.isCommitted) {
      view.addText(event.delta);
    }
  }

  /** Begins a message, or goes on with one; none if it is committed. */
  #open(event, id, role = "assistant") {
    const speaker = speakerOf(event);
    const thinking = this.#thinking.get(speaker);
    let view = this.#log.find(id);
    if (view?.isCommitted) {
      return undefined;
    }
    this.#thinking.delete(speaker);
    if (view === undefined && thinking !== undefined && role === thinking.role) {
      this.#log.rename(thinking, id);
      return thinking;
    }
    view ??= this.#add(event, id, role);
    if (thinking !== undefined) {
      view.takeThoughts(thinking);
      this.#log.remove(thinking);
    }
    return view;
  }

  #add(event, id, role) {
    const view = new MessageView({ id, role, run: event.metadata?.runId });
    view.element.classList.add("growing");
    this.#sign(view, event);
    this.#log.place(view);
    return view;
  }

  #startCall(event) {
    const view = this.#open(event, event.parentMessageId ?? event.toolCallId);
    this.#calls.set(event.toolCallId, { view, name: event.toolCallName });
    view?.toolCall(event.toolCallId, event.toolCallName);
  }

  #addArguments(event) {
    const call = this.#calls.get(event.toolCallId);
    if (call?.view && !call.view.isCommitted) {
      call.view.toolCall(event.toolCallId, call.name).add(event.delta);
    }
  }

  #showResult(event) {
    const view = this.#open(event, event.messageId, "tool");
    if (view) {
      view.toolName = this.#calls.get(event.toolCallId)?.name;
      view.setText(typeof event.content === "string" ? event.content : JSON.stringify(event.content));
      view.element.classList.remove("growing");
    }
  }

  #think(event) {
    if (this.#known.has(event.messageId)) {
      return undefined;
    }
    let view = this.#thoughts.get(event.messageId);
    if (view === undefined) {
      const speaker = speakerOf(event);
      view = this.#thinking.get(speaker) ?? this.#add(event, `thought:${event.messageId}`, "assistant");
      this.#thinking.set(speaker, view);
      this.#thoughts.set(event.messageId, view);
    }
    return view.thought(event.messageId);
  }

  /** What was thought before a committed message is in it. */
  committed(message) {
    message.metadata.reasoning?.forEach((thought) => this.#known.add(thought.id));
  }

  /** A run is over: what of it was not committed by now never will be. */
  end(run) {
    for (const view of this.#log.of(run)) {
      if (!view.isCommitted && !view.element.classList.contains("pending")) {
        this.#log.remove(view);
      }
    }
    for (const [speaker, view] of this.#thinking) {
      if (view.run === run) {
        this.#thinking.delete(speaker);
      }
    }
  }
}

const speakerOf = (event) => `${event.metadata?.runId} ${event.subagentRunId ?? ""}`;

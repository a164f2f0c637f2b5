import type { PlacedEvent, RunEvent } from "@parley/client";

export type SpanKind = "stage" | "text" | "reasoning" | "tool" | "member";

/** Something a run did for a while. Times are milliseconds of the epoch. */
export interface Span {
  key: string;
  kind: SpanKind;
  name: string;
  from: number;
  /** Absent while it goes on. */
  to?: number | undefined;
  /** When a call's arguments were complete: from then on the tool was at work. */
  calledAt?: number | undefined;
  /** How deep it stands within stages and members of a team. */
  depth: number;
  failed: boolean;
}

/** What a run's events say about time. */
export interface RunTimes {
  spans: Span[];
  started?: number | undefined;
  /** When the first word of an answer was there. */
  firstWord?: number | undefined;
  ended?: number | undefined;
}

/**
 * Puts events together to what they are the beginnings and ends of. Events without a time, such as the words of a text,
 * have that of the event before them. What is still open when the run ends, ends with it.
 */
export function timesOf(placed: readonly Pick<PlacedEvent, "event">[]): RunTimes {
  const reader = new SpanReader();
  placed.forEach(({ event }) => reader.take(event));
  return reader.times;
}

class SpanReader {
  readonly times: RunTimes = { spans: [] };
  readonly #open = new Map<string, Span>();
  #now = 0;

  take(event: RunEvent): void {
    this.#now = Math.max(this.#now, event.timestamp ?? 0);
    const member = ("subagentRunId" in event && event.subagentRunId) || "";
    switch (event.type) {
      case "RUN_STARTED":
        this.times.started ??= this.#now;
        break;
      case "STEP_STARTED":
        this.#begin(`stage ${member} ${event.stepName}`, "stage", event.stepName, member);
        break;
      case "STEP_FINISHED":
        this.#end(`stage ${member} ${event.stepName}`);
        break;
      case "TEXT_MESSAGE_START":
        this.times.firstWord ??= this.#now;
        this.#begin(`text ${event.messageId}`, "text", event.name ?? "", member);
        break;
      case "TEXT_MESSAGE_END":
        this.#end(`text ${event.messageId}`);
        break;
      case "REASONING_START":
      case "REASONING_MESSAGE_START":
        this.#begin(`reasoning ${member}`, "reasoning", "", member);
        break;
      // The end of a thought is not yet the end of thinking, but the next one begins where it ended.
      case "REASONING_END":
      case "REASONING_MESSAGE_END":
        this.#end(`reasoning ${member}`);
        break;
      case "TOOL_CALL_START":
        this.#begin(`tool ${event.toolCallId}`, "tool", event.toolCallName, member);
        break;
      case "TOOL_CALL_END":
        this.#called(`tool ${event.toolCallId}`);
        break;
      case "TOOL_CALL_RESULT":
        this.#end(`tool ${event.toolCallId}`);
        break;
      case "SUBAGENT_STARTED":
        this.#begin(`member ${event.subagentRunId}`, "member", event.name, event.parentSubagentRunId ?? "");
        break;
      case "SUBAGENT_FINISHED":
        this.#end(`member ${event.subagentRunId}`);
        break;
      case "SUBAGENT_ERROR":
        this.#end(`member ${event.subagentRunId}`, true);
        break;
      case "RUN_FINISHED":
        this.#finish(false);
        break;
      case "RUN_ERROR":
        this.#finish(true);
        break;
      default:
    }
  }

  #begin(key: string, kind: SpanKind, name: string, member: string): void {
    if (this.#open.has(key)) {
      return;
    }
    const { spans } = this.times;
    const around = this.#around(member);
    const depth = around === undefined ? 0 : around.depth + 1;
    const span: Span = { key: `${key} ${spans.length}`, kind, name, from: this.#now, depth, failed: false };
    spans.splice(around === undefined ? spans.length : this.#behind(around), 0, span);
    this.#open.set(key, span);
  }

  /** The innermost stage of whoever acts, else the member itself. */
  #around(member: string): Span | undefined {
    const stages = [...this.#open].filter(([key]) => key.startsWith(`stage ${member} `));
    return stages.at(-1)?.[1] ?? this.#open.get(`member ${member}`);
  }

  /** The place behind all that stands within a span. */
  #behind(around: Span): number {
    const { spans } = this.times;
    const first = spans.indexOf(around) + 1;
    const rest = spans.slice(first).findIndex((span) => span.depth <= around.depth);
    return rest === -1 ? spans.length : first + rest;
  }

  #called(key: string): void {
    const span = this.#open.get(key);
    if (span !== undefined) {
      span.calledAt = this.#now;
    }
  }

  #end(key: string, failed = false): void {
    const span = this.#open.get(key);
    if (span !== undefined) {
      span.to = this.#now;
      span.failed = failed;
      this.#open.delete(key);
    }
  }

  /** A call that nobody has answered ended when it was made: its result comes with a later run. */
  #finish(failed: boolean): void {
    for (const span of this.#open.values()) {
      span.to = span.calledAt ?? this.#now;
      span.failed = failed && span.calledAt === undefined;
    }
    this.#open.clear();
    this.times.ended = this.#now;
  }
}

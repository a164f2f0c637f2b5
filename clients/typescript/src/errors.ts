import type { Message } from "./types/chat.js";
import type { FieldError } from "./types/problems.js";

const PASSING = new Set([408, 429, 502, 503, 504]);
const KNOWN = new Set(["type", "title", "status", "detail", "instance", "code", "message", "errors", "retryable"]);
const LONGEST_WAIT_SECONDS = 3600;

/** What an agent had not read when it spoke: enough to think again without asking. */
export interface StaleContext {
  /** The thread's last seq, to be the next `base_seq` once all of `missed` is read. */
  readonly currentSeq: number;
  /** How many messages of others were missed, up to 1,000. */
  readonly staleLag: number;
  /** The first of them, up to 200. */
  readonly missed: readonly Message[];
}

/**
 * The server's refusal, as it told it. Answers of something in between that is not Parley are read as far as they go.
 */
export class ParleyError extends Error {
  override readonly name = "ParleyError";
  readonly status: number;
  /** The problem's stable name, the last part of its `type`; empty if the answer is not Parley's. */
  readonly slug: string;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly errors: readonly FieldError[];
  /** Whether the same request, with the same key, may succeed later. */
  readonly retryable: boolean;
  /** The seconds that the server asks to wait, if it does. */
  readonly retryAfter: number | undefined;
  readonly requestId: string | undefined;
  /** What the body says beyond the members that every problem has, such as the current seq of a conflict. */
  readonly members: Readonly<Record<string, unknown>>;
  /** Whether this attempt, or an earlier one of the same call, may have taken effect. */
  readonly outcomeUnknown: boolean;

  constructor(status: number, body: string, retryAfter: string | null, outcomeUnknown: boolean) {
    const problem = parse(body);
    const slug = text(problem["type"]).split("/").at(-1) ?? "";
    super(`${status} ${slug}: ${text(problem["detail"])}`);
    this.status = status;
    this.slug = slug;
    this.code = text(problem["code"]);
    this.title = text(problem["title"]);
    this.detail = text(problem["detail"]);
    this.errors = fieldErrors(problem["errors"]);
    this.retryable = typeof problem["retryable"] === "boolean" ? problem["retryable"] : PASSING.has(status);
    this.retryAfter = seconds(retryAfter);
    this.requestId = typeof problem["instance"] === "string" ? problem["instance"] : undefined;
    this.members = Object.fromEntries(Object.entries(problem).filter(([name]) => !KNOWN.has(name)));
    this.outcomeUnknown = outcomeUnknown;
  }

  /** What an agent missed, if that is why its message was refused. */
  get staleContext(): StaleContext | undefined {
    if (this.slug !== "stale-context") {
      return undefined;
    }
    const missed = this.members["missed_messages"];
    return {
      currentSeq: Number(this.members["current_seq"] ?? 0),
      staleLag: Number(this.members["stale_lag"] ?? 0),
      missed: Array.isArray(missed) ? (missed as Message[]) : [],
    };
  }
}

/** No usable answer came, however often it was asked for. */
export class ParleyUnreachable extends Error {
  override readonly name = "ParleyUnreachable";
  /** Whether what was asked for may have happened all the same. */
  readonly outcomeUnknown: boolean;

  constructor(message: string, cause: unknown, outcomeUnknown: boolean) {
    super(message, { cause });
    this.outcomeUnknown = outcomeUnknown;
  }
}

/** The server keeps breaking a stream's promises at the same place. */
export class StreamBroken extends Error {
  override readonly name = "StreamBroken";
}

function parse(body: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === "object" && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    // A gateway's own error page: the status has to do.
    return {};
  }
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function seconds(value: string | null): number | undefined {
  return value !== null && /^[0-9]{1,9}$/.test(value) ? Math.min(Number(value), LONGEST_WAIT_SECONDS) : undefined;
}

function fieldErrors(value: unknown): FieldError[] {
  const errors: unknown[] = Array.isArray(value) ? value : [];
  return errors.map((each) => {
    const error = (each ?? {}) as Record<string, unknown>;
    return { field: text(error["field"]), message: text(error["message"]) };
  });
}

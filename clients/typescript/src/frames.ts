import { pauseAfter } from "./backoff.js";
import { ParleyError, ParleyUnreachable, StreamBroken } from "./errors.js";
import type { SseFrame } from "./sse.js";
import { StreamConnection, StreamEnded } from "./stream-connection.js";
import { TokenUnavailable, type Transport } from "./transport.js";
import { linked, sleep, type LinkedSignal } from "./waiting.js";

/** How a stream is doing. `ended`, `closed` and `failed` are final. */
export type StreamState =
  | { readonly kind: "connecting"; readonly lastEventId: string | undefined }
  | { readonly kind: "open" }
  | { readonly kind: "waiting"; readonly pause: number; readonly cause: unknown }
  | { readonly kind: "ended" }
  | { readonly kind: "closed" }
  | { readonly kind: "failed"; readonly cause: unknown };

/** What every stream takes. */
export interface StreamOptions {
  /** Ends the stream as soon as it is aborted: whoever waits for the next event gets its reason as an error. */
  signal?: AbortSignal | undefined;
  onState?: ((state: StreamState) => void) | undefined;
}

/** So often may the server break its promises at one place before the stream is given up. */
const MAX_BREACHES = 3;

/**
 * The frames of one streaming address. Lost, refused and silent connections are replaced behind the scenes, resuming
 * where the taker says. For one taker at a time.
 */
export class FrameStream {
  readonly #transport: Transport;
  readonly #path: () => string;
  readonly #resume: () => string | undefined;
  readonly #onState: (state: StreamState) => void;
  readonly #stop: LinkedSignal;
  readonly #caller: AbortSignal | undefined;
  /** Ends the present connection, be it open or not yet. */
  #attempt: LinkedSignal | undefined;
  #connection: StreamConnection | undefined;
  #reopening = false;
  #pending: SseFrame[] = [];
  #over = false;
  #ended = false;
  #askedPause = 0;
  #failedAttempts = 0;
  #firstFailure = 0;
  #breaches = 0;

  /**
   * @param path asked for every connection if it is a function
   * @param resume the id of the event after which a new connection shall go on; undefined lets the server choose
   */
  constructor(
    transport: Transport,
    path: string | (() => string),
    resume: () => string | undefined,
    options: StreamOptions = {},
  ) {
    this.#transport = transport;
    this.#path = typeof path === "string" ? () => path : path;
    this.#resume = resume;
    this.#onState = options.onState ?? (() => {});
    this.#caller = options.signal;
    this.#stop = linked(options.signal);
  }

  /** The next frame; undefined once the stream is closed. */
  async next(): Promise<SseFrame | undefined> {
    while (!this.#over) {
      const frame = this.#pending.shift();
      if (frame !== undefined) {
        return frame;
      }
      try {
        this.#stop.signal.throwIfAborted();
        const connection = this.#connection ?? (await this.#connect());
        this.#stop.signal.throwIfAborted();
        const frames = await connection.read();
        this.#askedPause = connection.askedPause ?? this.#askedPause;
        // Meanwhile another one may have been asked for, and what this one said is let go.
        this.#pending = connection === this.#connection ? frames : [];
      } catch (cause) {
        if (this.#reopening) {
          this.#reopening = false;
        } else if (cause instanceof StreamEnded) {
          this.close({ kind: "ended" });
        } else {
          await this.#lost(cause);
        }
      }
    }
    return undefined;
  }

  /** Whether it was closed because nothing more will come. */
  get ended(): boolean {
    return this.#ended;
  }

  /** The taker could use a frame: what went wrong before is forgiven. */
  progressed(): void {
    this.#failedAttempts = 0;
    this.#breaches = 0;
  }

  /** A promise broken; what follows on this connection is not to be trusted, a new one starts after the cursor. */
  async breach(what: string): Promise<void> {
    const broken = new StreamBroken(what);
    if (++this.#breaches >= MAX_BREACHES) {
      throw this.#fail(broken);
    }
    await this.#lost(broken);
  }

  /** Replaces the connection at once, for its path has changed. What was not handed out yet is let go. */
  reopen(): void {
    this.#reopening = true;
    this.#hangUp();
  }

  close(last: StreamState = { kind: "closed" }): void {
    if (!this.#over) {
      this.#over = true;
      this.#ended = last.kind === "ended";
      this.#stop.abort();
      this.#hangUp();
      this.#stop.release();
      this.#onState(last);
    }
  }

  async #connect(): Promise<StreamConnection> {
    this.#reopening = false;
    const lastEventId = this.#resume();
    this.#onState({ kind: "connecting", lastEventId });
    const attempt = linked(this.#stop.signal);
    this.#attempt = attempt;
    const connection = await StreamConnection.open(this.#transport, this.#path(), lastEventId, attempt.signal);
    if (attempt.signal.aborted) {
      // Given up after it had opened, when nobody knew of it yet.
      connection.release();
      throw attempt.signal.reason;
    }
    this.#connection = connection;
    this.#onState({ kind: "open" });
    return connection;
  }

  async #lost(cause: unknown): Promise<void> {
    const settled = this.#connection !== undefined && Date.now() - this.#connection.since > this.#policy.longestPause;
    this.#hangUp();
    if (this.#over) {
      return;
    }
    if (this.#caller?.aborted) {
      throw this.#fail(this.#caller.reason);
    }
    if (cause instanceof TokenUnavailable) {
      throw this.#fail(cause.cause);
    }
    if (cause instanceof ParleyError && !cause.retryable) {
      throw this.#fail(cause);
    }
    if (settled) {
      this.#failedAttempts = 0;
    }
    if (this.#failedAttempts++ === 0) {
      this.#firstFailure = Date.now();
    }
    const atLeast = cause instanceof ParleyError ? (cause.retryAfter ?? 0) * 1000 : this.#askedPause;
    const pause = pauseAfter(this.#policy, this.#failedAttempts, Date.now() - this.#firstFailure, atLeast);
    if (pause === undefined) {
      const known = cause instanceof ParleyError || cause instanceof StreamBroken;
      throw this.#fail(
        known ? cause : new ParleyUnreachable(`The event stream cannot be reached: ${String(cause)}`, cause, false),
      );
    }
    this.#onState({ kind: "waiting", pause, cause });
    // Woken early by an end, which the taker's loop then finds.
    await sleep(pause, this.#stop.signal).catch(() => {});
  }

  get #policy() {
    return this.#transport.settings.streams;
  }

  #fail(cause: unknown): unknown {
    this.close({ kind: "failed", cause });
    return cause;
  }

  #hangUp(): void {
    this.#pending = [];
    this.#attempt?.abort(new Error("The connection is not needed any more"));
    this.#attempt?.release();
    this.#connection?.release();
    this.#connection = undefined;
  }
}

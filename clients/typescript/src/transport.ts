import { pauseAfter, RETRY_NEVER } from "./backoff.js";
import { ParleyError, ParleyUnreachable } from "./errors.js";
import type { Answer, CallOptions, Request } from "./request.js";
import type { Settings } from "./settings.js";
import { linked, sleep } from "./waiting.js";

/** What fetch says in node when a request has never left: nothing can have happened. */
const NEVER_LEFT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

/** Sends requests, repeats those that may be repeated, and turns answers into objects or errors. */
export class Transport {
  readonly settings: Settings;

  constructor(settings: Settings) {
    this.settings = settings;
  }

  get<T>(path: string, options?: CallOptions): Promise<T> {
    return this.call({ method: "GET", path, signal: options?.signal });
  }

  /** Takes something away. That it is gone already is what was asked for, if an earlier attempt may have done it. */
  async remove(path: string, options?: CallOptions): Promise<void> {
    try {
      await this.call({ method: "DELETE", path, signal: options?.signal });
    } catch (error) {
      if (!(error instanceof ParleyError && error.status === 404 && error.outcomeUnknown)) {
        throw error;
      }
    }
  }

  /** Sends a request, again and again if it may be, until there is an answer. */
  async call<T>(request: Request): Promise<T> {
    const policy = request.once ? RETRY_NEVER : this.settings.calls;
    const body = request.body === undefined ? undefined : JSON.stringify(request.body);
    const start = Date.now();
    let unknown = false;
    for (let attempt = 1; ; attempt++) {
      let failure: Error;
      let atLeast = 0;
      try {
        const answer = await this.#exchange(request, body);
        if (answer.status >= 200 && answer.status < 300) {
          return (answer.text === "" ? undefined : (request.read ?? JSON.parse)(answer.text)) as T;
        }
        unknown ||= answer.status >= 500;
        failure = new ParleyError(answer.status, answer.text, answer.retryAfter, unknown);
      } catch (cause) {
        request.signal?.throwIfAborted();
        if (cause instanceof TokenUnavailable) {
          throw cause.cause;
        }
        unknown ||= !neverLeft(cause);
        const what = `No usable answer from ${this.settings.base} (attempt ${attempt}): ${String(cause)}`;
        failure = new ParleyUnreachable(what, cause, unknown);
      }
      if (failure instanceof ParleyError) {
        if (!failure.retryable) {
          throw failure;
        }
        atLeast = (failure.retryAfter ?? 0) * 1000;
      }
      const pause = pauseAfter(policy, attempt, Date.now() - start, atLeast);
      if (pause === undefined) {
        throw failure;
      }
      await sleep(pause, request.signal);
    }
  }

  /** Asks for a stream; the answer may be a refusal. */
  async open(path: string, lastEventId: string | undefined, signal: AbortSignal): Promise<Response> {
    const headers: Record<string, string> = { Accept: "text/event-stream", ...(await this.#authorization()) };
    if (lastEventId !== undefined) {
      headers["Last-Event-ID"] = lastEventId;
    }
    return this.settings.fetch(this.settings.base + path, { headers, signal, cache: "no-store", redirect: "error" });
  }

  /** One attempt. The limit covers the body as well. */
  async #exchange(request: Request, body: string | undefined): Promise<Answer> {
    const limit = this.settings.answerLimit + (request.extraWait ?? 0);
    const attempt = linked(request.signal, limit, `no whole answer within ${limit} ms`);
    try {
      const accept = request.read === undefined ? "application/json" : "text/plain";
      const token = request.anonymous ? {} : await this.#authorization();
      const headers: Record<string, string> = { Accept: accept, ...token };
      if (request.key !== undefined) {
        headers["Idempotency-Key"] = request.key;
      }
      const url = this.settings.base + request.path;
      if (request.sender !== undefined) {
        return await request.sender(url, headers, attempt.signal);
      }
      if (body !== undefined) {
        headers["Content-Type"] = "application/json";
      }
      // Redirects are never followed: they would carry the token elsewhere.
      const init: RequestInit = { method: request.method, headers, cache: "no-store", redirect: "error" };
      const answer = await this.settings.fetch(url, { ...init, signal: attempt.signal, body: body ?? null });
      return { status: answer.status, retryAfter: answer.headers.get("Retry-After"), text: await answer.text() };
    } finally {
      attempt.release();
    }
  }

  async #authorization(): Promise<Record<string, string>> {
    if (this.settings.token === undefined) {
      return {};
    }
    try {
      return { Authorization: `Bearer ${await this.settings.token()}` };
    } catch (error) {
      throw new TokenUnavailable("The token provider failed", { cause: error });
    }
  }
}

/** The caller's own provider has failed: that is no matter of the network, and nothing to be tried again here. */
export class TokenUnavailable extends Error {}

function neverLeft(cause: unknown): boolean {
  const code = ((cause as Error)?.cause as { code?: string } | undefined)?.code;
  return code !== undefined && NEVER_LEFT.has(code);
}

/** Calls to the server: the credential, problems, and trying again. */

const BASE = new URL("api/v1/", location.origin + location.pathname);
const TOKEN = "parley.token";
const LIMIT_MS = 30_000;

/** Tells of `signed-out` when the server does not know who is calling. */
export const session = new EventTarget();

export const token = () => sessionStorage.getItem(TOKEN);

export function keepToken(value) {
  if (value) {
    sessionStorage.setItem(TOKEN, value);
  } else {
    sessionStorage.removeItem(TOKEN);
  }
}

/** What the server refused, and why. */
export class Problem extends Error {
  constructor(status, body, retryAfter) {
    super(body?.detail || body?.message || `The server answered ${status}.`);
    this.status = status;
    this.errors = body?.errors ?? [];
    this.retryAfter = retryAfter;
  }

  /** Whether the same request may succeed later. */
  get passes() {
    return this.status === 429 || this.status >= 500;
  }
}

/** Sends a request and returns its response, or throws the problem. */
export async function request(method, path, { body, headers = {}, signal } = {}) {
  const credential = token();
  const response = await fetch(new URL(path, BASE), {
    method,
    signal,
    cache: "no-store",
    headers: {
      ...headers,
      ...(credential ? { Authorization: `Bearer ${credential}` } : {}),
      ...(body ? { "Content-Type": "application/json" } : {}),
    },
    body: body ? JSON.stringify(body) : undefined,
  });
  if (response.ok) {
    return response;
  }
  const problem = new Problem(
    response.status,
    await response.json().catch(() => undefined),
    Number(response.headers.get("Retry-After")) || undefined,
  );
  // A token that was replaced meanwhile is not missed.
  if (problem.status === 401 && credential === token()) {
    session.dispatchEvent(new Event("signed-out"));
  }
  throw problem;
}

/** Sends a request and returns the JSON that came back. */
export async function call(method, path, body) {
  const response = await request(method, path, { body, signal: AbortSignal.timeout(LIMIT_MS) });
  return response.json();
}

/** Waits longer from try to try, and no longer once the network is back. */
export class Patience {
  #tries = 0;

  reset() {
    this.#tries = 0;
  }

  /** @param seconds what the server asked for */
  async wait(seconds) {
    const longest = Math.min(15_000, 500 * 2 ** this.#tries++);
    const milliseconds = seconds ? seconds * 1000 : longest * (0.5 + Math.random() / 2);
    await new Promise((resolve) => {
      setTimeout(resolve, milliseconds);
      addEventListener("online", resolve, { once: true });
    });
  }
}

/** Calls until there is an answer: what was lost on the way is sent again, what was refused is thrown. */
export async function insist(method, path, body, onTry = () => {}) {
  const patience = new Patience();
  for (;;) {
    try {
      return await call(method, path, body);
    } catch (failure) {
      if (failure instanceof Problem && !failure.passes) {
        throw failure;
      }
      onTry(failure);
      await patience.wait(failure.retryAfter);
    }
  }
}

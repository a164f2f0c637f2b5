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
  const answer = await response.json().catch(() => undefined);
  throw refused(response.status, answer, response.headers.get("Retry-After"), credential);
}

function refused(status, body, retryAfter, credential) {
  // A token that was replaced meanwhile is not missed.
  if (status === 401 && credential === token()) {
    session.dispatchEvent(new Event("signed-out"));
  }
  return new Problem(status, body, Number(retryAfter) || undefined);
}

/**
 * Uploads a file in a form and returns the JSON that came back. How far it is can only be told by the older way to send.
 *
 * @param key by which the server knows it again
 * @param onProgress called with the part that is sent, from 0 to 1
 */
export async function upload(path, file, fields, { key, onProgress, signal }) {
  // One that is aborted already tells nobody any more.
  signal.throwIfAborted();
  const form = new FormData();
  Object.entries(fields).forEach(([name, value]) => form.append(name, value));
  form.append("file", file);
  const credential = token();
  const sending = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    sending.open("POST", new URL(path, BASE));
    sending.responseType = "json";
    sending.setRequestHeader("Idempotency-Key", key);
    if (credential) {
      sending.setRequestHeader("Authorization", `Bearer ${credential}`);
    }
    sending.upload.addEventListener("progress", (event) => {
      onProgress(event.lengthComputable ? event.loaded / event.total : 0);
    });
    sending.addEventListener("load", () => {
      const { status, response } = sending;
      if (status >= 200 && status < 300) {
        resolve(response);
      } else {
        reject(refused(status, response, sending.getResponseHeader("Retry-After"), credential));
      }
    });
    sending.addEventListener("error", () => reject(new TypeError("The upload was cut off.")));
    sending.addEventListener("abort", () => reject(signal.reason));
    signal.addEventListener("abort", () => sending.abort());
    sending.send(form);
  });
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
export const insist = (method, path, body, onTry) => persist(() => call(method, path, body), onTry);

/** The same for anything that calls. */
export async function persist(ask, onTry = () => {}) {
  const patience = new Patience();
  for (;;) {
    try {
      return await ask();
    } catch (failure) {
      if (failure instanceof Problem && !failure.passes) {
        throw failure;
      }
      onTry(failure);
      await patience.wait(failure.retryAfter);
    }
  }
}

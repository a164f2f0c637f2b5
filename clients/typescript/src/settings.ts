import { RETRY_CALLS, RETRY_STREAMS, type RetryPolicy } from "./backoff.js";

/** How a client reaches its server, and as whom. What is not said has a sensible default. */
export interface ConnectOptions {
  /** The server's address, with its sub-path if it has one; in browsers it may be relative to the page. */
  url: string;
  /** Without a token and a provider the caller is the local first-start user. */
  token?: string | undefined;
  /** Asked before every request, for tokens that expire. */
  tokenProvider?: () => string | Promise<string>;
  /** How many milliseconds one attempt may take until its whole answer is there; 30,000 if not said. */
  answerLimit?: number | undefined;
  /** The server's heartbeat interval in milliseconds; a stream without a byte for three of them is replaced. */
  heartbeat?: number | undefined;
  retryCalls?: RetryPolicy | undefined;
  retryStreams?: RetryPolicy | undefined;
  /** In place of the platform's own fetch. */
  fetch?: typeof globalThis.fetch;
}

export interface Settings {
  readonly base: string;
  readonly token: (() => string | Promise<string>) | undefined;
  readonly answerLimit: number;
  readonly silenceLimit: number;
  readonly calls: RetryPolicy;
  readonly streams: RetryPolicy;
  readonly fetch: typeof globalThis.fetch;
}

const HEARTBEAT = 15_000;

export function settingsOf(options: ConnectOptions): Settings {
  if (options.token !== undefined && options.tokenProvider !== undefined) {
    throw new TypeError("Give a token or a tokenProvider, not both");
  }
  const token = options.token;
  return {
    base: baseOf(options.url),
    token: token === undefined ? options.tokenProvider : () => token,
    answerLimit: options.answerLimit ?? 30_000,
    silenceLimit: 3 * (options.heartbeat ?? HEARTBEAT),
    calls: options.retryCalls ?? RETRY_CALLS,
    streams: options.retryStreams ?? RETRY_STREAMS,
    // Browsers insist on calling it as the window's own.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
  };
}

function baseOf(url: string): string {
  const page: string | undefined = globalThis.location?.href;
  let base: URL;
  try {
    base = new URL(url, page);
  } catch {
    throw new TypeError(`The server's address cannot be read: ${url}`);
  }
  if (base.protocol !== "http:" && base.protocol !== "https:") {
    throw new TypeError(`The server's address must start with http:// or https://, not ${url}`);
  }
  return base.origin + base.pathname.replace(/\/+$/, "");
}

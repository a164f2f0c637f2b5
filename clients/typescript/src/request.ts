/** What every call takes beside its own arguments. */
export interface CallOptions {
  /** Gives up as soon as it is aborted, with its reason. What was sent already may have taken effect. */
  signal?: AbortSignal | undefined;
}

/** A whole answer. */
export interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

/** Sends one attempt in another way than by a JSON text, such as a form that tells its progress. */
export type Sender = (url: string, headers: Record<string, string>, signal: AbortSignal) => Promise<Answer>;

/** A call before it is sent. Every attempt sends the same. */
export interface Request extends CallOptions {
  readonly method: string;
  readonly path: string;
  /** Made into JSON once. */
  readonly body?: unknown;
  /** The Idempotency-Key, by which the server knows a repeated creation. */
  readonly key?: string | undefined;
  /** How many milliseconds longer than usual the server may take. */
  readonly extraWait?: number;
  /** For what would happen twice if it were sent twice. */
  readonly once?: boolean;
  /** For what anybody may ask: it goes without a token, which need not be there yet. */
  readonly anonymous?: boolean;
  readonly sender?: Sender;
  /** How the answer is read, if it is no JSON text. */
  readonly read?: (text: string) => unknown;
}

/** A name as one part of a path. Those that would lead elsewhere, whatever they are written as, are refused. */
export function part(name: string): string {
  if (name === "" || name === "." || name === "..") {
    throw new TypeError(`This is no id: "${name}"`);
  }
  return encodeURIComponent(name);
}

/** Members as a query; what is undefined is left out. */
export function query(members: Record<string, string | number | boolean | undefined>): string {
  const said = Object.entries(members).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return said.length === 0 ? "" : `?${said.join("&")}`;
}

/** A token by which somebody is signed in, and how to get the next one. */
export interface KeptToken {
  token: string;
  /** When it has to be renewed, in milliseconds since 1970; nobody knows of a pasted one. */
  renewAt?: number | undefined;
  refreshToken?: string | undefined;
}

const KEY = "parley.token";

/** Tokens are kept in this tab only, and are gone with it. */
export function keptToken(): KeptToken | undefined {
  const kept = sessionStorage.getItem(KEY);
  return kept === null ? undefined : (JSON.parse(kept) as KeptToken);
}

export function keepToken(token: KeptToken | undefined): void {
  if (token === undefined) {
    sessionStorage.removeItem(KEY);
  } else {
    sessionStorage.setItem(KEY, JSON.stringify(token));
  }
}

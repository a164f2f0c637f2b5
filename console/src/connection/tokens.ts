import { remember, remembered } from "../ui/storage";

/** A token by which somebody is signed in, and how to get the next one. */
export interface KeptToken {
  token: string;
  /** When it has to be renewed, in milliseconds since 1970; nobody knows of a pasted one. */
  renewAt?: number | undefined;
  refreshToken?: string | undefined;
}

const KEY = "parley.token";

/** Tokens are kept in this tab only, and are gone with it. */
export const keptToken = (): KeptToken | undefined => remembered<KeptToken>(KEY, sessionStorage);
export const keepToken = (token: KeptToken | undefined): void => remember(KEY, token, sessionStorage);

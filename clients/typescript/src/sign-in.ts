/** How people sign in to a server. */
export interface SignIn {
  /** Whether callers without a token are the local first-start user. */
  readonly local: boolean;
  /** Who gives tokens out; null if the server says nothing of it. */
  readonly oidc: OpenIdProvider | null;
}

export interface OpenIdProvider {
  readonly issuer: string;
  readonly client_id: string;
  readonly scope: string;
}

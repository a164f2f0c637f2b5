/** How people sign in to a server, beside bringing a token. */
export interface SignIn {
  /** Whether whoever asks is taken without a token, as the local first-start user. */
  local: boolean;
  /** Where a page gets a token from; null if nowhere. */
  oidc: OidcClient | null;
}

/** What a page is at an OpenID provider. */
export interface OidcClient {
  issuer: string;
  client_id: string;
  scope: string;
}

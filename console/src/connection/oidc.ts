import type { OidcClient } from "@parley/client";
import { remember, remembered } from "../ui/storage";
import { PAGE } from "./address";
import type { KeptToken } from "./tokens";

/** What an identity provider says of itself, as far as we need it. */
interface Provider {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
}

interface TokenAnswer {
  access_token?: string;
  id_token?: string;
  refresh_token?: string;
  expires_in?: number;
}

/** What is remembered while the person is at the provider's page. */
interface Errand {
  state: string;
  verifier: string;
  hash: string;
}

const ERRAND = "parley.sign-in";
const EARLY_MS = 60_000;

async function providerOf({ issuer }: OidcClient): Promise<Provider> {
  const response = await fetch(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
  if (!response.ok) {
    throw new Error(`The identity provider answered ${response.status}.`);
  }
  const provider = (await response.json()) as Provider;
  if (provider.issuer !== issuer) {
    throw new Error("The identity provider says that it is another one.");
  }
  return provider;
}

/** Leaves for the provider's page (authorization code with PKCE); the person comes back to this page with a code. */
export async function beginSignIn(settings: OidcClient): Promise<void> {
  if (!isSecureContext) {
    throw new Error("Browsers allow this over https only. Open the console by https, or sign in with a token.");
  }
  const provider = await providerOf(settings);
  const errand: Errand = { state: randomText(), verifier: randomText(), hash: location.hash };
  remember(ERRAND, errand, sessionStorage);
  const address = new URL(provider.authorization_endpoint);
  const query = {
    response_type: "code",
    client_id: settings.client_id,
    redirect_uri: PAGE,
    scope: settings.scope,
    state: errand.state,
    code_challenge: await challengeOf(errand.verifier),
    code_challenge_method: "S256",
  };
  Object.entries(query).forEach(([name, value]) => address.searchParams.set(name, value));
  location.assign(address.href);
}

/** Whether the person has just come back from the provider. */
export function isReturning(): boolean {
  const query = new URLSearchParams(location.search);
  return remembered(ERRAND, sessionStorage) !== undefined && (query.has("code") || query.has("error"));
}

/** Changes the code for a token, and leaves no trace of it in the address. */
export async function completeSignIn(settings: OidcClient): Promise<KeptToken> {
  const query = new URLSearchParams(location.search);
  const errand = remembered<Errand>(ERRAND, sessionStorage)!;
  remember(ERRAND, undefined, sessionStorage);
  history.replaceState(null, "", PAGE + errand.hash);
  if (query.get("state") !== errand.state) {
    throw new Error("The sign-in was not begun here. Please try again.");
  }
  const code = query.get("code");
  if (code === null) {
    throw new Error(query.get("error_description") ?? query.get("error") ?? "The sign-in was refused.");
  }
  return ask(settings, { grant_type: "authorization_code", code, redirect_uri: PAGE, code_verifier: errand.verifier });
}

/** A new token for one that is about to end. */
export function renew(settings: OidcClient, refreshToken: string): Promise<KeptToken> {
  return ask(settings, { grant_type: "refresh_token", refresh_token: refreshToken });
}

async function ask(settings: OidcClient, body: Record<string, string>): Promise<KeptToken> {
  const provider = await providerOf(settings);
  const response = await fetch(provider.token_endpoint, {
    method: "POST",
    body: new URLSearchParams({ ...body, client_id: settings.client_id }),
  });
  if (!response.ok) {
    throw new Error(`The identity provider did not give a token: it answered ${response.status}.`);
  }
  const answer = (await response.json()) as TokenAnswer;
  // The server reads JSON web tokens; some providers make access tokens of another kind.
  const token = [answer.access_token, answer.id_token].find((each) => each?.split(".").length === 3);
  if (token === undefined) {
    throw new Error("The identity provider gave no token that this server could read.");
  }
  const lasts = answer.expires_in === undefined ? undefined : answer.expires_in * 1_000;
  const renewAt = lasts === undefined ? undefined : Date.now() + Math.max(lasts - EARLY_MS, lasts / 2);
  return { token, renewAt, refreshToken: answer.refresh_token ?? body.refresh_token };
}

function randomText(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(32)));
}

async function challengeOf(verifier: string): Promise<string> {
  return base64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))));
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

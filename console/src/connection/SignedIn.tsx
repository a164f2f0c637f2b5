import { Parley, ParleyError, type SignIn as SignInWays } from "@parley/client";
import { useCallback, useEffect, useState, type ReactNode } from "react";
import { Failure, sentenceOf } from "../ui/Failure";
import { keysUnder, remember } from "../ui/storage";
import { PAGE } from "./address";
import { ConnectionContext, type Connection } from "./context";
import { completeSignIn, isReturning, renew } from "./oidc";
import { openLine } from "./openLine";
import { SignIn } from "./SignIn";
import { keepToken, keptToken, type KeptToken } from "./tokens";

const AGAIN_MS = 20_000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

type State =
  | { kind: "asking" }
  | { kind: "stranger"; ways: SignInWays; refusal?: string | undefined }
  | { kind: "failed"; error: unknown }
  | { kind: "known"; connection: Connection };

/** Shows what is inside to whoever the server knows, and a way to sign in to everybody else. */
export function SignedIn({ children }: { children: ReactNode }) {
  const [state, setState] = useState<State>({ kind: "asking" });

  const enter = useCallback(async (kept: KeptToken | undefined, refusal?: string): Promise<void> => {
    const credential = { token: kept?.token };
    const parley = Parley.connect(kept ? { url: PAGE, tokenProvider: () => credential.token! } : { url: PAGE });
    try {
      const me = await parley.whoAmI();
      keepToken(kept);
      const line = openLine(PAGE, kept?.token, me.sender_id);
      const signOut = kept && (() => leave());
      setState({ kind: "known", connection: { parley, me, line, signOut } });
      renewInTime(kept, (token) => {
        credential.token = token;
        line.renew(token);
      });
    } catch (error) {
      setState(await strangerOr(error, parley, refusal ?? (kept && sentenceOf(error))));
    }
  }, []);

  const begin = useCallback(async (): Promise<void> => {
    setState({ kind: "asking" });
    if (!isReturning()) {
      return enter(keptToken());
    }
    try {
      const { oidc } = await Parley.connect({ url: PAGE }).signIn();
      return enter(oidc === null ? undefined : await completeSignIn(oidc));
    } catch (error) {
      return enter(undefined, error instanceof Error ? error.message : String(error));
    }
  }, [enter]);

  useEffect(() => void begin(), [begin]);

  switch (state.kind) {
    case "asking":
      return <p className="unseen" role="status">Connecting</p>;
    case "failed":
      return (
        <main className="sign-in">
          <Failure error={state.error} onRetry={() => void begin()} />
        </main>
      );
    case "stranger":
      return <SignIn ways={state.ways} refusal={state.refusal} onToken={(token) => void enter({ token })} />;
    case "known":
      return <ConnectionContext value={state.connection}>{children}</ConnectionContext>;
  }
}

/** Somebody whom the server does not know can sign in; anything else that went wrong is shown. */
async function strangerOr(error: unknown, parley: Parley, refusal: string | undefined): Promise<State> {
  if (!(error instanceof ParleyError) || error.status !== 401) {
    return { kind: "failed", error };
  }
  keepToken(undefined);
  try {
    return { kind: "stranger", ways: await parley.signIn(), refusal };
  } catch (failure) {
    return { kind: "failed", error: failure };
  }
}

/** Forgets everything of whoever was here. */
function leave(): void {
  keepToken(undefined);
  keysUnder("parley.").forEach((key) => remember(key, undefined));
  location.hash = "";
  location.reload();
}

/** A token that ends is replaced before it does, and if that fails for now, a little later. */
function renewInTime(kept: KeptToken | undefined, onToken: (token: string) => void): void {
  if (kept?.renewAt === undefined || kept.refreshToken === undefined) {
    return;
  }
  const { refreshToken, renewAt } = kept;
  const attempt = async (): Promise<void> => {
    try {
      const { oidc } = await Parley.connect({ url: PAGE }).signIn();
      if (oidc !== null) {
        const next = await renew(oidc, refreshToken);
        keepToken(next);
        onToken(next.token);
        renewInTime(next, onToken);
      }
    } catch {
      setTimeout(() => void attempt(), AGAIN_MS);
    }
  };
  setTimeout(() => void attempt(), Math.min(Math.max(renewAt - Date.now(), 0), LONGEST_TIMER_MS));
}

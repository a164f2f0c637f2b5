import type { SignIn as SignInWays } from "@parley/client";
import { useState, type FormEvent } from "react";
import { Button } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { Field } from "../ui/Field";
import { beginSignIn } from "./oidc";
import "./sign-in.css";

interface SignInProps {
  ways: SignInWays;
  refusal?: string | undefined;
  onToken: (token: string) => void;
}

/** For those whom the server does not know yet: by their identity provider, or by a token that is pasted. */
export function SignIn({ ways, refusal, onToken }: SignInProps) {
  const [token, setToken] = useState("");
  const [failure, setFailure] = useState<unknown>();
  const { oidc } = ways;

  function submit(event: FormEvent): void {
    event.preventDefault();
    onToken(token.trim());
  }

  return (
    <main className="sign-in">
      <h1>Sign in to Parley</h1>
      {oidc !== null && (
        <>
          <Button look="primary" onClick={() => void beginSignIn(oidc).catch(setFailure)}>
            Sign in with {new URL(oidc.issuer).host}
          </Button>
          {failure !== undefined && <Failure error={failure} />}
          <p className="quiet">or with a token:</p>
        </>
      )}
      <form onSubmit={submit}>
        <Field label="Token" hint="It is kept in this tab only, until you close it or sign out." error={refusal}>
          {(control) => (
            <input
              {...control}
              autoComplete="off"
              spellCheck={false}
              autoCapitalize="off"
              required
              value={token}
              onChange={(event) => setToken(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" look={oidc === null ? "primary" : "plain"}>
          Sign in
        </Button>
      </form>
      <p className="quiet small">
        Tokens are made where the server runs: <code>./parley token --user &lt;uuid&gt; --name &lt;name&gt;</code>
      </p>
    </main>
  );
}

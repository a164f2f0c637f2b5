import { ParleyError } from "@parley/client";
import { useState } from "react";

export interface Action {
  busy: boolean;
  /** Why the last one did not work. */
  error: unknown;
  /** Does something, and answers whether it worked. */
  act: (what: () => Promise<unknown>) => Promise<boolean>;
  forget: () => void;
}

/** Something that is asked of the server by a button: one at a time, with what went wrong. */
export function useAction(): Action {
  const [state, setState] = useState<{ busy: boolean; error: unknown }>({ busy: false, error: undefined });
  async function act(what: () => Promise<unknown>): Promise<boolean> {
    setState({ busy: true, error: undefined });
    try {
      await what();
      setState({ busy: false, error: undefined });
      return true;
    } catch (error) {
      setState({ busy: false, error });
      return false;
    }
  }
  return { ...state, act, forget: () => setState({ busy: false, error: undefined }) };
}

/** What the server says is wrong with a field, or with a member of it. */
export function faultOf(error: unknown, field: string): string | undefined {
  const errors = error instanceof ParleyError ? error.errors : [];
  const own = errors.filter((each) => each.field === field || each.field.startsWith(`${field}.`));
  const said = own.map(({ field: at, message }) =>
    at === field ? message.charAt(0).toUpperCase() + message.slice(1) : `${at.slice(field.length + 1)} ${message}`,
  );
  return said.length === 0 ? undefined : said.join("\n");
}

/** The error itself, unless it is told at one of these fields. */
export function faultBeside(error: unknown, ...fields: string[]): unknown {
  return fields.some((field) => faultOf(error, field) !== undefined) ? undefined : error;
}

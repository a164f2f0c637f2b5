import { createContext, useContext, useSyncExternalStore } from "react";
import type { Caller, Parley } from "@parley/client";
import type { Line, LineState } from "./line";

/** Somebody who is signed in, and the means to speak with the server as them. */
export interface Connection {
  parley: Parley;
  me: Caller;
  line: Line;
  /** Forgets the token; absent for the local user, who has none. */
  signOut: (() => void) | undefined;
}

export const ConnectionContext = createContext<Connection | undefined>(undefined);

/** The connection of whoever is signed in; everything below the sign-in page has one. */
export function useConnection(): Connection {
  const connection = useContext(ConnectionContext);
  if (connection === undefined) {
    throw new Error("Nobody is signed in here.");
  }
  return connection;
}

export const useParley = (): Parley => useConnection().parley;
export const useMe = (): Caller => useConnection().me;
export const useLine = (): Line => useConnection().line;

export function useLineState(): LineState {
  const line = useLine();
  return useSyncExternalStore(line.onState, line.state);
}

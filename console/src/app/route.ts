import { useSyncExternalStore } from "react";

/** Where somebody is in the console. The address after the `#` says it, so it can be kept, shared and gone back to. */
export type Route =
  | { page: "home" }
  | { page: "new" }
  | ThreadRoute
  | { page: "operate"; section: string };

/** A conversation; perhaps one of its messages, or what a run did beside it. */
export interface ThreadRoute {
  page: "thread";
  threadId: string;
  seq?: number | undefined;
  runId?: string | undefined;
  compareWith?: string | undefined;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Reads an address such as `#/t/<thread>?seq=7`, `#/t/<thread>/runs/<run>?with=<run>`, `#/operate/agents`. */
export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const parts = path.split("/").map(decoded);
  if (parts[0] === "t" && UUID.test(parts[1] ?? "")) {
    const wishes = new URLSearchParams(query);
    const runId = parts[2] === "runs" ? parts[3] : undefined;
    const compareWith = wishes.get("with") ?? undefined;
    return { page: "thread", threadId: parts[1]!, seq: seqOf(wishes.get("seq")), runId, compareWith };
  }
  if (parts[0] === "operate") {
    return { page: "operate", section: parts[1] ?? "agents" };
  }
  return parts[0] === "new" ? { page: "new" } : { page: "home" };
}

function seqOf(given: string | null): number | undefined {
  const seq = Number(given ?? undefined);
  return Number.isSafeInteger(seq) && seq > 0 ? seq : undefined;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const threadAddress = (threadId: string): string => `#/t/${encodeURIComponent(threadId)}`;

export const messageAddress = (threadId: string, seq: number): string => `${threadAddress(threadId)}?seq=${seq}`;

export function runAddress(threadId: string, runId: string, compareWith?: string): string {
  const query = compareWith === undefined ? "" : `?with=${encodeURIComponent(compareWith)}`;
  return `${threadAddress(threadId)}/runs/${encodeURIComponent(runId)}${query}`;
}

export const operateAddress = (section: string): string => `#/operate/${section}`;
export const NEW_ADDRESS = "#/new";
export const HOME_ADDRESS = "#/";

export function goTo(address: string): void {
  location.hash = address;
}

const onChange = (listener: () => void): (() => void) => {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
};

export function useHash(): string {
  return useSyncExternalStore(onChange, () => location.hash);
}

/** Where an address in a card leads. */
export interface CardTarget {
  href: string;
  host: string;
  /** Whether it stays on this site. */
  isHere: boolean;
}

const UNPLAIN = /[\\\p{C}\p{Z}]/u;

/** Where an address leads; nowhere unless that is https, or a path of this site in plain spelling. */
export function cardTarget(given: unknown, page: string): CardTarget | undefined {
  if (typeof given !== "string" || given === "" || UNPLAIN.test(given)) {
    return undefined;
  }
  const isPath = !/^[a-z][a-z0-9+.-]*:/i.test(given) && !given.startsWith("//");
  const url = URL.parse(given, isPath ? page : undefined);
  if (url === null || url.username !== "" || url.password !== "") {
    return undefined;
  }
  if (isPath) {
    return url.origin === new URL(page).origin ? { href: url.href, host: url.host, isHere: true } : undefined;
  }
  return url.protocol === "https:" ? { href: url.href, host: url.host, isHere: false } : undefined;
}

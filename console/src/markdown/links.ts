/** Where a link leads. */
export interface Target {
  href: string;
  /** Shown behind the text; none if the text says it, or for an address of mail. */
  host: string | undefined;
}

const ALLOWED = new Set(["http:", "https:", "mailto:"]);
/** Signs that cannot be seen, or that turn the direction of what follows. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Where a link in a text of somebody else's may lead; undefined if nowhere. */
export function targetOf(href: string | undefined, text: string): Target | undefined {
  if (href === undefined || UNSEEN.test(href)) {
    return undefined;
  }
  const url = URL.parse(href.trim());
  if (url === null || !ALLOWED.has(url.protocol) || url.password !== "" || (url.protocol !== "mailto:" && url.username !== "")) {
    return undefined;
  }
  const isSaid = url.protocol === "mailto:" || says(text, url.host);
  return { href: url.href, host: isSaid ? undefined : url.host };
}

/** The text has to have the host as its own host: that it stands somewhere in it proves nothing. */
function says(text: string, host: string): boolean {
  const said = text.trim().toLowerCase().replace(/^https?:\/\//, "");
  return !UNSEEN.test(said) && (said === host || said.startsWith(`${host}/`) || said.startsWith(`${host}?`));
}

/** The opening of each source's prefix up to the sender's name, and the text that closes it after the name. */
const PREFIXES = new Map([
  ["slack", { opening: /^\[Slack channel:[^ \r\n]+ user:/, closing: "]" }],
  ["discord", { opening: /^\[Discord channel:[^ \r\n]+ user:/, closing: "]" }],
  ["bluebubbles", { opening: /^\[/, closing: "]:" }],
]);

/**
 * The content without the prefix, sender and channel, that its source's integration once put in front of it. For
 * display only, and only for messages whose metadata says `legacy_prefix: true`: in other messages the sender typed
 * it. Content that is null or undefined gives an empty text. To be removed after the third quarter of 2026.
 */
export function stripLegacyIngestPrefix(content: string | null | undefined, source: string | null | undefined): string {
  const text = content ?? "";
  const prefix = PREFIXES.get(source ?? "");
  const opening = prefix?.opening.exec(text)?.[0];
  if (prefix === undefined || opening === undefined) {
    return text;
  }
  const [firstLine = ""] = text.split(/[\r\n]/, 1);
  const end = prefixEnd(firstLine, opening.length, prefix.closing);
  return end === undefined ? text : text.slice(end).replace(/^ /, "");
}

/**
 * The prefix ends at the first closing outside the name's own brackets that a space or the line's end follows. A name
 * with unpaired brackets may leave none; the prefix then ends at the first closing of all.
 */
function prefixEnd(line: string, nameStart: number, closing: string): number | undefined {
  if (line.startsWith("]", nameStart)) {
    return undefined;
  }
  let depth = 0;
  for (let at = nameStart; at < line.length; at++) {
    const end = at + closing.length;
    if (line[at] === "[") {
      depth++;
    } else if (line[at] === "]" && depth > 0) {
      depth--;
    } else if (line.startsWith(closing, at) && (end === line.length || line[end] === " ")) {
      return end;
    }
  }
  const first = line.indexOf(closing, nameStart);
  return first < 0 ? undefined : first + closing.length;
}

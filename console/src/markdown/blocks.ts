const FENCE = /^\s*(?:[-*+]\s+|\d{1,9}[.)]\s+|>\s*)*(`{3,}|~{3,})/;
const LIST_ITEM = /^(?:[-*+]|\d{1,9}[.)])\s/;
/** A definition holds for the whole text, so such a text is not cut. */
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:/m;

/**
 * Cuts markdown into parts that can be drawn each by itself: at blank lines that are not inside a fence or a list. While
 * a text grows only its last part changes. The parts, joined, are the text.
 */
export function splitBlocks(markdown: string): string[] {
  if (DEFINITION.test(markdown)) {
    return [markdown];
  }
  const blocks: string[] = [];
  let start = 0;
  let fence: string | undefined;
  let afterBlank = false;
  let inList = false;
  for (let at = 0; at < markdown.length; ) {
    const newline = markdown.indexOf("\n", at);
    const end = newline < 0 ? markdown.length : newline + 1;
    const line = markdown.slice(at, Math.min(end, at + 200));
    const isBlank = line.trim() === "";
    if (fence === undefined && afterBlank && !isBlank && !/^\s/.test(line) && !(inList && LIST_ITEM.test(line))) {
      blocks.push(markdown.slice(start, at));
      start = at;
      inList = false;
    }
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      const rest = line.trim();
      fence = rest.startsWith(fence) && /^(`+|~+)$/.test(rest) ? undefined : fence;
    } else if (mark !== undefined) {
      fence = mark;
    }
    inList ||= LIST_ITEM.test(line);
    afterBlank = isBlank;
    at = end;
  }
  return start < markdown.length ? [...blocks, markdown.slice(start)] : blocks;
}

const LONGEST = 50_000;
/** So much of one sign in a row, or so many quotes and lists inside each other, is not meant to be read. */
const DEEP = /([[\](){}<>*_~`!])\1{99}|^(?:\s{0,8}(?:>|[-*+]\s|\d{1,9}[.)]\s)){20}/m;
const INDENTED = /^[ \t]{120}/m;
/** Brackets that open and never close cost the more the more there are; nobody writes a thousand in one paragraph. */
const MOST_BRACKETS = 1_000;

/** Whether a part is plain enough to be drawn as markdown; else it is shown as it is. */
export function isReadable(block: string): boolean {
  return block.length <= LONGEST && !DEEP.test(block) && !INDENTED.test(block) && !isBracketed(block);
}

function isBracketed(block: string): boolean {
  let count = 0;
  for (let at = block.indexOf("["); at >= 0 && count <= MOST_BRACKETS; at = block.indexOf("[", at + 1)) {
    count++;
  }
  return count > MOST_BRACKETS;
}

import type { Actor, Participant } from "./types/chat.js";

/** Whoever can be mentioned. */
export type MentionCandidate = Pick<Participant, "sender_id" | "display_name">;

/** A piece of a text. A name that several share mentions all of them: `sender_id` is the first, `sender_ids` all. */
export type MentionSegment =
  | { readonly type: "text"; readonly value: string }
  | { readonly type: "mention"; readonly value: string; readonly sender_id: Actor; readonly sender_ids: Actor[] };

/** Scripts that are written without spaces have no edges of words to respect: a name simply stands in the text. */
const SCRIPTS = ["Han", "Hiragana", "Katakana", "Hangul", "Thai", "Lao", "Khmer", "Myanmar"];
const WITHOUT_SPACES = new RegExp(`[${SCRIPTS.map((script) => `\\p{Script=${script}}`).join("")}]`, "u");
const LETTER_OR_DIGIT = /[\p{L}\p{Nd}]/u;

/**
 * Cuts a text into what is said and who is mentioned by `@Name`, by the server's own rules: the longest name wins, so
 * that `@Alice's Agent` is not Alice; upper and lower case are the same; a name inside a word mentions nobody. The
 * values, joined, are the text.
 */
export function tokenizeMentions(text: string, candidates: readonly MentionCandidate[]): MentionSegment[] {
  const named = candidates.filter((each) => each.display_name.trim() !== "");
  const longestFirst = [...named].sort((one, other) => other.display_name.length - one.display_name.length);
  const segments: MentionSegment[] = [];
  let said = 0;
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    const inside = at < said || isPartOfWord(lastCharacter(text.slice(0, at)));
    const found = inside ? [] : namedAt(text, at + 1, longestFirst);
    const [first] = found;
    if (first !== undefined) {
      const end = at + 1 + first.display_name.length;
      if (at > said) {
        segments.push({ type: "text", value: text.slice(said, at) });
      }
      const ids = [...new Set(found.map((each) => each.sender_id))];
      segments.push({ type: "mention", value: text.slice(at, end), sender_id: first.sender_id, sender_ids: ids });
      said = end;
    }
  }
  if (said < text.length) {
    segments.push({ type: "text", value: text.slice(said) });
  }
  return segments;
}

/** Everybody whom a text mentions, each once. */
export function extractMentionedIds(text: string, candidates: readonly MentionCandidate[]): Actor[] {
  const segments = tokenizeMentions(text, candidates);
  return [...new Set(segments.flatMap((each) => (each.type === "mention" ? each.sender_ids : [])))];
}

/** All who have the longest name that stands there. */
function namedAt(text: string, at: number, longestFirst: readonly MentionCandidate[]): MentionCandidate[] {
  const standing = longestFirst.filter((each) => startsWithName(text, at, each.display_name));
  return standing.filter((each) => each.display_name.length === standing[0]?.display_name.length);
}

function startsWithName(text: string, at: number, name: string): boolean {
  const end = at + name.length;
  return alike(text.slice(at, end), name) && !isPartOfWord(String.fromCodePoint(text.codePointAt(end) ?? 0x20));
}

/** Character by character, as some have another length in the other case. */
function alike(one: string, other: string): boolean {
  if (one.length !== other.length) {
    return false;
  }
  for (let at = 0; at < one.length; at++) {
    const a = one.charAt(at);
    const b = other.charAt(at);
    if (a !== b && a.toUpperCase() !== b.toUpperCase() && a.toLowerCase() !== b.toLowerCase()) {
      return false;
    }
  }
  return true;
}

function lastCharacter(text: string): string {
  return Array.from(text.slice(-2)).at(-1) ?? " ";
}

function isPartOfWord(character: string): boolean {
  return LETTER_OR_DIGIT.test(character) && !WITHOUT_SPACES.test(character);
}

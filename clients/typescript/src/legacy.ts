/** How integrations once put the speaker in front of the text, each in its own way. */
const PREFIXES = new Map([
  ["slack", /^\[Slack channel:\S+ user:[^\]]+\] ?/],
  ["discord", /^\[Discord channel:\S+ user:[^\]]+\] ?/],
  ["bluebubbles", /^\[[^\]]+\]: ?/],
]);

/**
 * Shows a text of the time when integrations put the speaker in front of it. For display only, and only for messages
 * whose metadata says `legacy_prefix: true`: others may begin like this because somebody typed it. To be removed after
 * the third quarter of 2026.
 */
export function stripLegacyIngestPrefix(content: string, source: string | null | undefined): string {
  const prefix = PREFIXES.get(source ?? "");
  return prefix === undefined ? content : content.replace(prefix, "");
}

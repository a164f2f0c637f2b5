/**
 * Shows a text of the time when integrations put the speaker in front of it. For display only, and only for messages
 * whose metadata says `legacy_prefix: true`. To be removed after the third quarter of 2026.
 */
export declare function stripLegacyIngestPrefix(content: string, source: string | null | undefined): string;

import type { SentImage } from "./outbox";

/** What is written and not sent, with its images. */
export interface Draft {
  text: string;
  images: SentImage[];
}

const KEY = "parley.draft.";
const EMPTY: Draft = { text: "", images: [] };

/** Drafts are kept for each thread, also over a reload. */
export function keptDraft(threadId: string): Draft {
  const kept = localStorage.getItem(KEY + threadId);
  return kept === null ? EMPTY : { ...EMPTY, ...(JSON.parse(kept) as Partial<Draft>) };
}

export function keepDraft(threadId: string, draft: Draft): void {
  if (draft.text === "" && draft.images.length === 0) {
    localStorage.removeItem(KEY + threadId);
  } else {
    localStorage.setItem(KEY + threadId, JSON.stringify(draft));
  }
}

import { useEffect, useState } from "react";

const SHOWN_MS = 1_500;

/** Copies something, and says for a moment that it did. */
export function CopyButton({ text, label = "Copy" }: { text: () => string; label?: string }) {
  const [said, setSaid] = useState<string>();
  useEffect(() => {
    const timer = said === undefined ? undefined : setTimeout(() => setSaid(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <button
      type="button"
      className="markdown-copy"
      onClick={() => void copyText(text()).then((done) => setSaid(done ? "Copied" : "Not copied"))}
    >
      <span aria-live="polite">{said ?? label}</span>
    </button>
  );
}

/** Whether a text could be put where it can be pasted from. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

import { useEffect, useState, type ReactNode } from "react";

interface CopyButtonProps {
  /** Asked when it is pressed. */
  text: () => string;
  label?: string | undefined;
  /** Stands before the label. */
  icon?: ReactNode;
  className?: string | undefined;
}

const SAID_MS = 2_000;

/** Copies something, and says for a moment whether that worked. */
export function CopyButton({ text, label = "Copy", icon, className = "button button-ghost" }: CopyButtonProps) {
  const [said, setSaid] = useState("");
  useEffect(() => {
    const timer = said === "" ? undefined : setTimeout(() => setSaid(""), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = (): void => void copyText(text()).then((done) => setSaid(done ? "Copied" : "Not copied"));
  return (
    <>
      <button type="button" className={className} dir="auto" onClick={copy}>
        {icon}
        {said === "" ? label : said}
      </button>
      <span className="unseen" role="status">
        {said}
      </span>
    </>
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

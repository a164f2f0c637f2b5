import { useEffect, useState } from "react";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";

/** A button that copies a text and says whether that worked. */
export function Copy({ label, text }: { label: string; text: () => string }) {
  const [said, setSaid] = useState("");
  useEffect(() => {
    const timer = window.setTimeout(() => setSaid(""), 2_000);
    return () => window.clearTimeout(timer);
  }, [said]);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text());
      setSaid("Copied");
    } catch {
      // Browsers allow it on secure pages only.
      setSaid("Not allowed here");
    }
  }

  return (
    <>
      <Button look="ghost" onClick={() => void copy()}>
        <Icon name="copy" />
        {said === "" ? label : said}
      </Button>
      <span className="unseen" role="status">
        {said}
      </span>
    </>
  );
}

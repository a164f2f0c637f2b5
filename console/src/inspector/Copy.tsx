import { useEffect, useState } from "react";
import { copyText } from "../markdown/CopyButton";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";

/** A button that copies a text and says whether that worked. */
export function Copy({ label, text }: { label: string; text: () => string }) {
  const [said, setSaid] = useState("");
  useEffect(() => {
    const timer = window.setTimeout(() => setSaid(""), 2_000);
    return () => window.clearTimeout(timer);
  }, [said]);

  return (
    <>
      <Button look="ghost" onClick={() => void copyText(text()).then((done) => setSaid(done ? "Copied" : "Not copied"))}>
        <Icon name="copy" />
        {said === "" ? label : said}
      </Button>
      <span className="unseen" role="status">
        {said}
      </span>
    </>
  );
}

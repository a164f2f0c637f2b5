import { useEffect } from "react";
import { goTo, NEW_ADDRESS } from "./route";

/** Keys that work wherever nothing is being written: `/` searches, `n` begins anew, `m` goes to the message field. */
export function useShortcuts(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const at = event.target as HTMLElement;
      const isWriting = at.closest("input, textarea, select, [contenteditable], dialog, [role=menu]") !== null;
      if (isWriting || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) {
        return;
      }
      if (event.key === "/") {
        event.preventDefault();
        document.querySelector<HTMLElement>("[data-search]")?.focus();
      } else if (event.key === "n") {
        event.preventDefault();
        goTo(NEW_ADDRESS);
      } else if (event.key === "m") {
        event.preventDefault();
        document.querySelector<HTMLElement>(".composer-text")?.focus();
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

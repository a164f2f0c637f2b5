import type { Participant } from "@parley/client";
import { useId, useMemo, useState, type AriaAttributes, type KeyboardEvent, type ReactNode, type RefObject } from "react";
import { candidatesFor, mentioningAt, withMention } from "./mentioning";
import { Suggestions } from "./Suggestions";

interface Mentions {
  /** The names that could be meant, while one is being written. */
  suggestions: ReactNode;
  /** What the field says about them to those who do not see them. */
  attributes: AriaAttributes & { role?: "combobox" };
  /** Whether a key was meant for the suggestions. */
  takesKey: (event: KeyboardEvent) => boolean;
  /** Something was written, or only the caret was moved, up to here. */
  wrote: (caret: number) => void;
  moved: (caret: number) => void;
}

/** Offers names behind an `@`: arrows choose, Enter and Tab take, Escape puts them away. */
export function useMentions(
  field: RefObject<HTMLTextAreaElement | null>,
  text: string,
  setText: (text: string) => void,
  participants: readonly Participant[],
  writer: string,
): Mentions {
  const id = useId();
  const [caret, setCaret] = useState(0);
  const [chosen, setChosen] = useState(0);
  const [isDismissed, setIsDismissed] = useState(false);
  const mentioning = useMemo(() => (isDismissed ? undefined : mentioningAt(text, caret)), [text, caret, isDismissed]);
  const candidates = mentioning === undefined ? [] : candidatesFor(mentioning.query, participants, writer);
  const isOffering = candidates.length > 0;

  function take(candidate: Participant): void {
    if (mentioning !== undefined) {
      const [next, at] = withMention(text, caret, mentioning, candidate.display_name);
      setText(next);
      setCaret(at);
      requestAnimationFrame(() => field.current?.setSelectionRange(at, at));
    }
  }

  function takesKey(event: KeyboardEvent): boolean {
    if (!isOffering) {
      return false;
    }
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp":
        setChosen((chosen + (event.key === "ArrowDown" ? 1 : candidates.length - 1)) % candidates.length);
        return true;
      case "Enter":
      case "Tab":
        take(candidates[Math.min(chosen, candidates.length - 1)]!);
        return true;
      case "Escape":
        event.stopPropagation();
        setIsDismissed(true);
        return true;
      default:
        return false;
    }
  }

  return {
    suggestions: isOffering && <Suggestions id={id} candidates={candidates} chosen={chosen} onChoose={take} />,
    attributes: isOffering
      ? { role: "combobox", "aria-expanded": true, "aria-controls": id, "aria-activedescendant": `${id}-${chosen}` }
      : {},
    takesKey,
    wrote: (at) => {
      setCaret(at);
      setChosen(0);
      setIsDismissed(false);
    },
    moved: setCaret,
  };
}

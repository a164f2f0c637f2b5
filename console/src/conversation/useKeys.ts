import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import type { Virtualizer } from "@tanstack/react-virtual";
import { useTalk } from "./context";
import { copyMessage } from "./copying";
import { isShown } from "./model/rows";

interface Keys {
  /** The message that Tab leads to. */
  active: number | undefined;
  /** Goes to a row, or, if that takes no room, to the next one that does. */
  goTo: (index: number, step: number, align?: "auto" | "center") => void;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

const STEPS: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

/** Moves from message to message by keys; Enter opens a message's actions, and c copies it. */
export function useKeys(virtual: Virtualizer<HTMLDivElement, Element>, tailLength: number): Keys {
  const talk = useTalk();
  const { model } = talk;
  const [active, setActive] = useState<number>();
  const shallFocus = useRef(false);
  const count = model.pages.lastSeq + tailLength;

  useEffect(() => {
    const article = shallFocus.current ? articleAt(virtual, active) : undefined;
    if (article) {
      shallFocus.current = false;
      article.focus({ preventScroll: true });
    }
  });

  function goTo(index: number, step: number, align: "auto" | "center" = "auto"): void {
    let at = index;
    while (at >= 0 && at < model.pages.lastSeq && !isShown(model, at + 1)) {
      at += step;
    }
    if (at >= 0 && at < count) {
      shallFocus.current = true;
      setActive(at);
      virtual.scrollToIndex(at, { align });
    }
  }

  function copyAt(seq: number): void {
    const message = model.pages.row(seq);
    if (message && message.content !== "") {
      void copyMessage(talk, message);
    }
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const target = event.target as HTMLElement;
    const isRegion = target === event.currentTarget;
    const row = target.closest<HTMLElement>("[data-index]");
    if (event.altKey || event.ctrlKey || event.metaKey || (!isRegion && target.tagName !== "ARTICLE")) {
      return;
    }
    const here = isRegion ? undefined : Number(row?.dataset["index"]);
    const step = STEPS[event.key];
    if (step !== undefined) {
      event.preventDefault();
      goTo(here === undefined ? (active ?? count - 1) : here + step, step);
    } else if (event.key === "Home" || event.key === "End") {
      event.preventDefault();
      goTo(event.key === "Home" ? 0 : count - 1, event.key === "Home" ? 1 : -1);
    } else if (here !== undefined && event.key === "Enter") {
      event.preventDefault();
      target.querySelector<HTMLElement>("[aria-haspopup=menu]")?.click();
    } else if (here !== undefined && event.key === "c") {
      event.preventDefault();
      copyAt(here + 1);
    }
  }

  return { active: active === undefined ? undefined : Math.min(active, count - 1), goTo, onKeyDown };
}

function articleAt(virtual: Virtualizer<HTMLDivElement, Element>, index: number | undefined): HTMLElement | undefined {
  const row = virtual.scrollElement?.querySelector(`[data-index="${index}"]`);
  return row?.querySelector("article") ?? undefined;
}

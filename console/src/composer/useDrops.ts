import { useEffect, useRef, useState } from "react";

/** Takes files that are dropped anywhere on the page; says whether some are being held over it. */
export function useDrops(onDrop: (files: File[]) => void, enabled: boolean): boolean {
  const [isOver, setIsOver] = useState(false);
  const latest = useRef(onDrop);
  latest.current = onDrop;
  useEffect(() => {
    if (!enabled) {
      return undefined;
    }
    const over = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes("Files")) {
        event.preventDefault();
        setIsOver(true);
      }
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) {
        setIsOver(false);
      }
    };
    const drop = (event: DragEvent): void => {
      setIsOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0) {
        event.preventDefault();
        latest.current(files);
      }
    };
    addEventListener("dragover", over);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, [enabled]);
  return isOver;
}

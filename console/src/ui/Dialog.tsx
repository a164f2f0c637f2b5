import { useEffect, useId, useRef, type ReactNode } from "react";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  className?: string;
  /** Whether only its own buttons close it, since what it shows would be lost by a slip. */
  isFirm?: boolean;
}

/** A dialog in front of everything, for as long as it is rendered. Escape and a click beside it close it. */
export function Dialog({ title, onClose, children, className = "", isFirm = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const pressedBeside = useRef(false);
  const titleId = useId();
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);

  function leave(): void {
    if (!isFirm) {
      onClose();
    }
  }

  /** Browsers let pages hold back one Escape, not the next: what is on screen shall be what is rendered. */
  function wasClosed(): void {
    if (isFirm && element.current?.open === false) {
      element.current.showModal();
    } else if (element.current?.open === false) {
      onClose();
    }
  }

  return (
    <dialog
      ref={element}
      className={`dialog ${className}`.trim()}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
      onClose={wasClosed}
      // Whoever selects text within it may let go beside it.
      onPointerDown={(event) => (pressedBeside.current = event.target === element.current)}
      onClick={(event) => {
        if (pressedBeside.current && event.target === element.current) {
          leave();
        }
      }}
    >
      <div className="dialog-body">
        <h2 id={titleId}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

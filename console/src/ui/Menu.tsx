import { useId, useRef, useState, type CSSProperties, type ReactNode } from "react";
import { flushSync } from "react-dom";
import { Button } from "./Button";

export interface MenuItem {
  label: string;
  onSelect: () => void;
  danger?: boolean;
}

interface MenuProps {
  /** What the button is called. */
  label: string;
  items: MenuItem[];
  /** What the button shows. */
  children: ReactNode;
}

/** A button that opens a small menu: arrows move, Enter selects, Escape closes. */
export function Menu({ label, items, children }: MenuProps) {
  const id = useId();
  // Closed ones are empty: a long conversation has many.
  const [isOpen, setIsOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLSpanElement>(null);

  function place(): void {
    const at = button.current?.getBoundingClientRect();
    if (at && menu.current) {
      const style: CSSProperties = {};
      const above = at.bottom + items.length * 44 > window.innerHeight;
      style.top = above ? "auto" : `${at.bottom}px`;
      style.bottom = above ? `${window.innerHeight - at.top}px` : "auto";
      style.left = `${Math.max(8, Math.min(at.left, window.innerWidth - 200))}px`;
      Object.assign(menu.current.style, style);
    }
  }

  function move(step: number): void {
    const buttons = [...(menu.current?.querySelectorAll("button") ?? [])];
    const at = buttons.findIndex((each) => each === document.activeElement);
    buttons.at((at + step) % buttons.length)?.focus();
  }

  /** Whoever leaves the menu by the keyboard is where they came from. */
  function comeBack(): void {
    if (document.activeElement === document.body || menu.current?.contains(document.activeElement)) {
      button.current?.querySelector("button")?.focus();
    }
  }

  return (
    <>
      <span ref={button}>
        <Button look="ghost" icon aria-label={label} aria-haspopup="menu" popoverTarget={id} onClick={place}>
          {children}
        </Button>
      </span>
      <div
        id={id}
        ref={menu}
        popover="auto"
        role="menu"
        aria-label={label}
        className="menu"
        onBeforeToggle={(event) => flushSync(() => setIsOpen(event.newState === "open"))}
        onToggle={(event) => (event.newState === "open" ? move(1) : comeBack())}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            event.preventDefault();
            move(event.key === "ArrowDown" ? 1 : -1);
          }
        }}
      >
        {isOpen && items.map((item) => (
          <button
            key={item.label}
            type="button"
            role="menuitem"
            className={item.danger ? "menu-item menu-item-danger" : "menu-item"}
            onClick={() => {
              menu.current?.hidePopover();
              item.onSelect();
            }}
          >
            {item.label}
          </button>
        ))}
      </div>
    </>
  );
}

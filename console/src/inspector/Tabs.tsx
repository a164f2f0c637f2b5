import { useId, useRef, type KeyboardEvent, type ReactNode } from "react";

export interface Tab<Name extends string> {
  name: Name;
  label: string;
  render: () => ReactNode;
}

interface TabsProps<Name extends string> {
  label: string;
  tabs: Tab<Name>[];
  chosen: Name;
  onChoose: (name: Name) => void;
}

/** Several views of one thing: arrows, Home and End move between them, and only the chosen one is there. */
export function Tabs<Name extends string>({ label, tabs, chosen, onChoose }: TabsProps<Name>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const at = tabs.findIndex((tab) => tab.name === chosen);

  function move(event: KeyboardEvent): void {
    const forward = document.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
    const backward = document.dir === "rtl" ? "ArrowRight" : "ArrowLeft";
    const steps: Record<string, number> = { [forward]: at + 1, [backward]: at - 1, Home: 0, End: tabs.length - 1 };
    const target = steps[event.key];
    const tab = target === undefined ? undefined : tabs.at(target % tabs.length);
    if (tab !== undefined) {
      event.preventDefault();
      onChoose(tab.name);
      list.current?.querySelectorAll<HTMLButtonElement>("button")[tabs.indexOf(tab)]?.focus();
    }
  }

  return (
    <>
      <div ref={list} role="tablist" aria-label={label} className="inspector-tabs" onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            id={`${id}-${tab.name}`}
            className="inspector-tab"
            aria-selected={tab.name === chosen}
            aria-controls={tab.name === chosen ? `${id}-panel` : undefined}
            tabIndex={tab.name === chosen ? 0 : -1}
            onClick={() => onChoose(tab.name)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${chosen}`}
        className="inspector-panel"
        tabIndex={0}
      >
        {tabs[at]?.render()}
      </div>
    </>
  );
}

import { useState } from "react";
import { remember, remembered } from "../ui/storage";

export type Theme = "system" | "light" | "dark";

const KEY = "parley.theme";
const NEXT: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };

const chosen = (): Theme => remembered<Theme>(KEY) ?? "system";

function show(theme: Theme): void {
  if (theme === "system") {
    delete document.documentElement.dataset.theme;
  } else {
    document.documentElement.dataset.theme = theme;
  }
}

/** Before anything is drawn, so that nothing flashes. */
export const showChosenTheme = (): void => show(chosen());

/** Light, dark, or whatever the machine says; and how to go on to the next. */
export function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState(chosen);
  function next(): void {
    setTheme(NEXT[theme]);
    show(NEXT[theme]);
    remember(KEY, NEXT[theme] === "system" ? undefined : NEXT[theme]);
  }
  return [theme, next];
}

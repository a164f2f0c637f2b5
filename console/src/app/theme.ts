import { useEffect, useState } from "react";

export type Theme = "system" | "light" | "dark";

const KEY = "parley.theme";
const NEXT: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };

/** Light, dark, or whatever the machine says; and how to go on to the next. */
export function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState<Theme>(() => (localStorage.getItem(KEY) as Theme | null) ?? "system");
  useEffect(() => {
    if (theme === "system") {
      delete document.documentElement.dataset.theme;
      localStorage.removeItem(KEY);
    } else {
      document.documentElement.dataset.theme = theme;
      localStorage.setItem(KEY, theme);
    }
  }, [theme]);
  return [theme, () => setTheme(NEXT[theme])];
}

import { useCallback, useState } from "react";
import { useLoaded, type Loaded } from "../ui/useLoaded";

export interface Pages<T> extends Loaded<T[]> {
  /** Whether there are more than those that are here. */
  more: boolean;
  next: () => void;
}

type Page<T> = { items: T[]; more: boolean };

/** A list that comes page by page, each behind the last of the page before. Asking again begins at the front. */
export function usePages<T>(load: (last: T | undefined, signal: AbortSignal) => Promise<Page<T>>): Pages<T> {
  const [count, setCount] = useState(1);
  const loaded = useLoaded<Page<T>>(
    async (signal) => {
      // All pages that are shown are read again, so that they belong together.
      let all: Page<T> = { items: [], more: true };
      for (let page = 0; page < count && all.more; page++) {
        const { items, more } = await load(all.items.at(-1), signal);
        all = { items: [...all.items, ...items], more };
      }
      return all;
    },
    [count],
  );
  const next = useCallback(() => setCount((before) => before + 1), []);
  return { ...loaded, value: loaded.value?.items, more: loaded.value?.more ?? false, next };
}

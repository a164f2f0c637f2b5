import { useCallback, useState } from "react";

const UNHEARD = "\u00a0";

/** What is read to those who do not see the page, and the means to have it read; also if it is the same once more. */
export function useAnnouncements(): [string, (words: string) => void] {
  const [words, setWords] = useState("");
  // A text that does not change is not read again.
  const announce = useCallback((said: string) => setWords((before) => (before === said ? said + UNHEARD : said)), []);
  return [words, announce];
}

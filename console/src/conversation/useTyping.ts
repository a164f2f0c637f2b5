import { useCallback, useEffect, useRef, useState } from "react";
import type { Typing } from "@parley/client";

/** Who does not say it again has stopped. */
const GOOD_MS = 8_000;

/** The names of others who are writing, and the means to hear of them. */
export function useTyping(me: string): [string[], (typing: Typing) => void] {
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());
  useEffect(() => () => timers.current.forEach((timer) => clearTimeout(timer)), []);
  const hear = useCallback(
    ({ sender_id: sender, display_name: name, status }: Typing) => {
      if (sender === me) {
        return;
      }
      const set = (isTyping: boolean): void =>
        setNames((before) => {
          const after = new Map(before);
          return (isTyping ? after.set(sender, name) : after.delete(sender)) ? after : before;
        });
      clearTimeout(timers.current.get(sender));
      set(status === "started");
      timers.current.set(sender, setTimeout(() => set(false), GOOD_MS));
    },
    [me],
  );
  return [[...names.values()], hear];
}

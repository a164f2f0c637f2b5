import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useParley } from "../connection/context";
import { senderName, useTalk } from "./context";
import { newsSince, type News } from "./model/news";
import type { TailItem } from "./model/tail";

const WAIT_MS = 400;
const MOST_SAID = 500;

/**
 * Tells the server how far its reader has come, a little later and no more often than needed, and those who listen what
 * was said. Returns what others have said since the end was left.
 */
export function useReading(isAtEnd: boolean, tail: readonly TailItem[]): News {
  const talk = useTalk();
  const parley = useParley();
  const { model, threadId, me, announce } = talk;
  const lastSeq = model.pages.lastSeq;
  const isReady = model.state === "ready";
  const [isVisible, setVisible] = useState(!document.hidden);
  const told = useRef(0);
  const due = useRef(0);
  const heard = useRef<number>(undefined);
  const seenTo = useRef(lastSeq);

  const tell = useCallback(() => {
    if (due.current > told.current) {
      told.current = due.current;
      // If it is lost, the next message makes up for it.
      parley.thread(threadId).markRead(due.current).catch(() => {});
    }
  }, [parley, threadId]);

  // A reader who leaves at once has read it all the same.
  useEffect(() => {
    const onChange = (): void => {
      setVisible(!document.hidden);
      tell();
    };
    document.addEventListener("visibilitychange", onChange);
    return () => {
      document.removeEventListener("visibilitychange", onChange);
      tell();
    };
  }, [tell]);

  useLayoutEffect(() => model.newLine.look({ isVisible, isAtEnd, tailKeys: tail.map(({ key }) => key) }));

  useEffect(() => {
    const mine = model.thread?.participants.find((each) => each.sender_id === me)?.last_read_seq;
    if (!isAtEnd || !isVisible || lastSeq <= Math.max(told.current, mine ?? 0) || mine === undefined) {
      return undefined;
    }
    due.current = lastSeq;
    const timer = setTimeout(tell, WAIT_MS);
    return () => clearTimeout(timer);
  }, [isAtEnd, isVisible, lastSeq, model, me, tell]);

  useEffect(() => {
    const from = heard.current;
    if (isReady) {
      heard.current = lastSeq;
    }
    for (let seq = lastSeq; from !== undefined && seq > from; seq--) {
      const message = model.pages.row(seq);
      if (message && message.role === "assistant" && message.sender_id !== me && message.content !== "") {
        announce(`${senderName(talk, message)}: ${message.content.slice(0, MOST_SAID)}`);
        return;
      }
    }
  }, [isReady, lastSeq, model, me, announce, talk]);

  if (isAtEnd || seenTo.current === 0) {
    seenTo.current = lastSeq;
  }
  return newsSince(model, seenTo.current, me);
}

import { useEffect, useRef, useState } from "react";
import { useParley } from "../connection/context";
import { senderName, useTalk } from "./context";
import { newsSince, type News } from "./model/news";

const WAIT_MS = 400;
const MOST_SAID = 500;

/**
 * Tells the server how far its reader has come, a little later and no more often than needed, and those who listen what
 * was said. Returns what others have said since the end was left.
 */
export function useReading(isAtEnd: boolean): News {
  const talk = useTalk();
  const parley = useParley();
  const { model, threadId, me, announce } = talk;
  const lastSeq = model.pages.lastSeq;
  const isReady = model.state === "ready";
  const [isVisible, setVisible] = useState(!document.hidden);
  const told = useRef(0);
  const heard = useRef<number>(undefined);
  const seenTo = useRef(lastSeq);

  useEffect(() => {
    const onChange = (): void => setVisible(!document.hidden);
    document.addEventListener("visibilitychange", onChange);
    return () => document.removeEventListener("visibilitychange", onChange);
  }, []);

  useEffect(() => {
    const mine = model.thread?.participants.find((each) => each.sender_id === me)?.last_read_seq;
    if (!isAtEnd || !isVisible || lastSeq <= Math.max(told.current, mine ?? 0) || mine === undefined) {
      return undefined;
    }
    const timer = setTimeout(() => {
      told.current = lastSeq;
      // If it is lost, the next message makes up for it.
      parley.thread(threadId).markRead(lastSeq).catch(() => {});
    }, WAIT_MS);
    return () => clearTimeout(timer);
  }, [isAtEnd, isVisible, lastSeq, model, me, parley, threadId]);

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

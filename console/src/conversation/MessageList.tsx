import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { useTalk } from "./context";
import { newsLabel } from "./model/news";
import { growsOn, placeNotices, rowAt, RowMemory, shownBefore } from "./model/rows";
import type { TailItem } from "./model/tail";
import { PendingMessage } from "./PendingMessage";
import { Row } from "./Row";
import { useHeldRows } from "./useHeldRows";
import { useKeys } from "./useKeys";
import { useReading } from "./useReading";
import { useSought } from "./useSought";
import { useWanted } from "./useWanted";

const NEAR_PX = 60;
/** About what an unread row takes. */
const ROW_PX = 64;
const OVERSCAN = 4;
/** It is asked of every one of a hundred thousand rows, so it has to be quick. */
const aboutTheSame = (): number => ROW_PX;

interface MessageListProps {
  tail: TailItem[];
  /** The message to look at. */
  seq: number | undefined;
}

/** The messages that are in view, out of however many there are. Whoever is at the end stays there. */
export function MessageList({ tail, seq: soughtSeq }: MessageListProps) {
  const talk = useTalk();
  const { model } = talk;
  const scroller = useRef<HTMLDivElement>(null);
  const memory = useMemo(() => new RowMemory(), []);
  const lastSeq = model.pages.lastSeq;
  const tailNow = useRef(tail);
  tailNow.current = tail;
  const getItemKey = useCallback(
    (index: number) =>
      index < model.pages.lastSeq
        ? model.intake.keyOf(index + 1)
        : (tailNow.current[index - model.pages.lastSeq]?.key ?? `tail:${index}`),
    [model],
  );
  const rangeExtractor = useHeldRows();
  const virtual = useVirtualizer({
    count: lastSeq + tail.length,
    getScrollElement: () => scroller.current,
    estimateSize: aboutTheSame,
    getItemKey,
    overscan: OVERSCAN,
    rangeExtractor,
    anchorTo: "end",
    followOnAppend: true,
    scrollEndThreshold: NEAR_PX,
    paddingStart: 12,
    paddingEnd: 12,
  });
  const [isAtEnd, setAtEnd] = useState(true);
  const atEnd = useRef(true);

  const look = useCallback(() => {
    const it = scroller.current;
    if (it !== null) {
      atEnd.current = it.scrollHeight - it.scrollTop - it.clientHeight <= NEAR_PX;
      setAtEnd(atEnd.current);
    }
  }, []);
  const toEnd = useCallback(() => {
    atEnd.current = true;
    setAtEnd(true);
    virtual.scrollToEnd();
  }, [virtual]);

  const isReady = model.state === "ready";
  const isSeeking = useRef(false);
  isSeeking.current = soughtSeq !== undefined;
  useLayoutEffect(() => {
    if (isReady && !isSeeking.current) {
      toEnd();
    }
  }, [isReady, toEnd]);
  // Who writes something wants to see it.
  const lastPending = tail.findLast((item) => item.kind === "pending")?.key;
  useLayoutEffect(() => {
    if (lastPending !== undefined) {
      toEnd();
    }
  }, [lastPending, toEnd]);
  // The room for messages changes with the window and with the composer.
  useEffect(() => {
    const it = scroller.current;
    const observer = new ResizeObserver(() => atEnd.current && virtual.scrollToEnd());
    if (it !== null) {
      observer.observe(it);
    }
    return () => observer.disconnect();
  }, [virtual]);

  const items = virtual.getVirtualItems();
  useWanted((virtual.range?.startIndex ?? 0) + 1, (virtual.range?.endIndex ?? 0) + 1);
  // A conversation that begins here is looked at before there is anything to read.
  const news = newsLabel(useReading(isAtEnd && (isReady || model.state === "new"), tail));
  const keys = useKeys(virtual, tail.length);
  const sought = useSought(soughtSeq, (index) => {
    atEnd.current = false;
    setAtEnd(false);
    keys.goTo(index, -1, "center");
  });
  const notices = placeNotices(model);

  function content(index: number) {
    const seq = index + 1;
    const isActive = keys.active === index;
    if (index < lastSeq) {
      const row = rowAt(model, seq, notices);
      return row && <Row row={memory.same(row)} thread={model.thread} isGrouped={row.isGrouped} isActive={isActive} />;
    }
    const item = tail[index - lastSeq];
    if (item?.kind === "growing") {
      const before = tail[index - lastSeq - 1];
      const name = model.live.memberName(item.growing.member);
      const above = shownBefore(model, lastSeq + 1);
      const follows =
        before?.kind === "growing"
          ? before.growing.runId === item.growing.runId && before.growing.member === item.growing.member
          : before === undefined && growsOn(above, item.growing, name);
      return <Row growing={item.growing} thread={model.thread} isGrouped={follows} isActive={isActive} />;
    }
    return item && <PendingMessage pending={item.pending} isActive={isActive} />;
  }

  return (
    <div className="conversation-list">
      <div
        ref={scroller}
        className="conversation-scroller"
        role="region"
        aria-label="Messages"
        tabIndex={0}
        onScroll={look}
        onKeyDown={keys.onKeyDown}
      >
        <div className="conversation-sizer" style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => {
            const isUnread = item.index < lastSeq && model.pages.row(item.index + 1) === undefined;
            return (
              <div
                key={item.key}
                data-index={item.index}
                ref={isUnread ? undefined : virtual.measureElement}
                className={isUnread ? "conversation-row conversation-unread" : "conversation-row"}
                data-sought={item.index === sought || undefined}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                {isUnread ? <span className="unseen">Not read yet</span> : content(item.index)}
              </div>
            );
          })}
        </div>
      </div>
      {!isAtEnd && (
        <Button className="conversation-jump" onClick={toEnd}>
          <Icon name="down" /> Jump to the latest
          {news !== undefined && (
            <span className="badge badge-accent" aria-hidden="true">
              {news}
            </span>
          )}
        </Button>
      )}
    </div>
  );
}

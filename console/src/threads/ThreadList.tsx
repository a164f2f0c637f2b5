import { useEffect, useRef, useState } from "react";
import { Button } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { useThreadList, useThreadStore } from "./context";
import { ThreadRow } from "./ThreadRow";
import "./threads.css";

const PAUSE_MS = 200;

/** One's threads, the most active first, with a search among their titles. `/` goes to the search. */
export function ThreadList({ current }: { current: string | undefined }) {
  const store = useThreadStore();
  const { threads, more, loading, error, query, archived } = useThreadList();
  const [typed, setTyped] = useState(query);
  const list = useRef<HTMLUListElement>(null);

  useEffect(() => {
    const timer = setTimeout(() => typed !== query && store.search(typed, archived), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, query, archived, store]);

  function move(step: number): void {
    const links = [...(list.current?.querySelectorAll("a") ?? [])];
    const at = links.findIndex((link) => link === document.activeElement);
    links[Math.max(0, Math.min(links.length - 1, at + step))]?.focus();
  }

  return (
    <nav
      className="threads"
      aria-label="Conversations"
      onKeyDown={(event) => {
        if (event.key === "ArrowDown" || event.key === "ArrowUp") {
          event.preventDefault();
          move(event.key === "ArrowDown" ? 1 : -1);
        }
      }}
    >
      <div className="threads-search">
        <input
          type="search"
          aria-label="Search conversations"
          aria-keyshortcuts="/"
          placeholder="Search"
          dir="auto"
          data-search
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <label className="threads-archived small">
          <input type="checkbox" checked={archived} onChange={(event) => store.search(typed, event.target.checked)} />
          Archived
        </label>
      </div>
      {error !== undefined && <Failure error={error} onRetry={() => void store.reload()} />}
      <ul ref={list} className="threads-list">
        {threads.map((thread) => (
          <ThreadRow key={thread.thread_id} thread={thread} isCurrent={thread.thread_id === current} />
        ))}
      </ul>
      {threads.length === 0 && !loading && error === undefined && (
        <p className="empty">{query === "" ? "No conversations yet." : "No conversation is called that."}</p>
      )}
      {more && <Button onClick={() => void store.more()}>Show more</Button>}
    </nav>
  );
}

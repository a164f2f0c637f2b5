import { freshId } from "@parley/client";
import { Suspense, useEffect, useState } from "react";
import { Outbox } from "../composer/outbox";
import { deliver } from "../composer/deliver";
import { useLine, useMe, useParley } from "../connection/context";
import { ThreadsContext } from "../threads/context";
import { ThreadStore } from "../threads/threadStore";
import { Boundary } from "../ui/Boundary";
import { OutboxContext } from "./outboxContext";
import { Operate } from "./pages";
import { parseRoute, useHash } from "./route";
import { Sidebar } from "./Sidebar";
import { ThreadPage } from "./ThreadPage";
import { useShortcuts } from "./useShortcuts";
import "./shell.css";

/** The frame around all pages: conversations at the side, and in the middle what the address names. */
export function Shell() {
  const parley = useParley();
  const me = useMe();
  const line = useLine();
  const route = parseRoute(useHash());
  const [store] = useState(() => new ThreadStore(parley));
  const [outbox] = useState(() => new Outbox(me.sender_id, (pending) => deliver(parley, pending)));
  const [fresh, setFresh] = useState(freshId);
  useEffect(() => store.follow(line), [store, line]);
  useEffect(() => {
    const resume = (): void => outbox.resume();
    resume();
    addEventListener("online", resume);
    return () => removeEventListener("online", resume);
  }, [outbox]);
  useShortcuts();

  const current = route.page === "thread" ? route.threadId : undefined;
  useEffect(() => {
    // A conversation that has begun is not the new one any more.
    if (current === fresh) {
      setFresh(freshId());
    }
  }, [current, fresh]);

  return (
    <ThreadsContext value={store}>
      <OutboxContext value={outbox}>
        <div className="shell" data-page={route.page}>
          <a className="shell-skip button" href="#main" onClick={focusMessage}>
            Skip to the message field
          </a>
          <Sidebar route={route} />
          <Boundary key={route.page === "operate" ? "operate" : "talk"}>
            {route.page === "operate" ? (
              <main id="main" className="shell-main" tabIndex={-1}>
                <Suspense fallback={<p className="empty">Loading</p>}>
                  <Operate section={route.section} />
                </Suspense>
              </main>
            ) : (
              <ThreadPage
                key={current ?? fresh}
                threadId={current ?? fresh}
                isFresh={current === undefined}
                seq={route.page === "thread" ? route.seq : undefined}
                runId={route.page === "thread" ? route.runId : undefined}
                compareWith={route.page === "thread" ? route.compareWith : undefined}
              />
            )}
          </Boundary>
        </div>
      </OutboxContext>
    </ThreadsContext>
  );
}

function focusMessage(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.querySelector<HTMLElement>(".composer-text, #main")?.focus();
}

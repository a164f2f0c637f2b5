import { useEffect, useRef } from "react";
import { HOME_ADDRESS, operateAddress } from "../app/route";
import { useMe } from "../connection/context";
import { Icon } from "../ui/Icon";
import { pagesFor } from "./sections";
import "./operate.css";
import "./records.css";

/** The pages for those who own agents and for those who run the server. */
export default function Operate({ section }: { section: string }) {
  const pages = pagesFor(useMe().is_operator);
  const current = pages.find((page) => page.section === section);
  const tab = useRef<HTMLAnchorElement>(null);
  // On a phone the tabs do not all fit: the current one is the one to be seen.
  useEffect(() => {
    // Newer browsers answer with a promise, which is no way to clean up.
    tab.current?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [section]);
  return (
    <div className="operate">
      <header className="operate-head">
        <a className="operate-back button button-ghost button-icon" href={HOME_ADDRESS} aria-label="All conversations">
          <Icon name="back" />
        </a>
        <nav className="operate-nav" aria-label="Operate">
          {pages.map((page) => (
            <a
              key={page.section}
              ref={page === current ? tab : undefined}
              className="operate-tab"
              href={operateAddress(page.section)}
              aria-current={page === current ? "page" : undefined}
            >
              {page.title}
            </a>
          ))}
        </nav>
      </header>
      <div className="operate-page">
        {current === undefined ? (
          <>
            <h1>Not here</h1>
            <p className="empty">There is no such page, or it is not for you.</p>
          </>
        ) : (
          <>
            <h1>{current.title}</h1>
            <current.Page key={current.section} />
          </>
        )}
      </div>
    </div>
  );
}

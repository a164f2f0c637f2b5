import { useConnection } from "../connection/context";
import { LineNote } from "../connection/LineNote";
import { ThreadList } from "../threads/ThreadList";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { NEW_ADDRESS, operateAddress, type Route } from "./route";
import { useTheme } from "./theme";

/** Conversations, who is signed in, and the way to the other pages. */
export function Sidebar({ route }: { route: Route }) {
  const { me, signOut } = useConnection();
  const [theme, nextTheme] = useTheme();
  return (
    <aside className="sidebar" aria-label="Sidebar">
      <header className="sidebar-head">
        <span className="sidebar-brand">Parley</span>
        <a className="button button-primary" href={NEW_ADDRESS} aria-keyshortcuts="n">
          New conversation
        </a>
      </header>
      <LineNote className="sidebar-state" />
      <ThreadList current={route.page === "thread" ? route.threadId : undefined} />
      <footer className="sidebar-foot">
        <span className="sidebar-me ellipsis" dir="auto" title={me.sender_id}>
          {me.display_name}
        </span>
        <Button look="ghost" icon aria-label={`Theme: ${theme}`} title={`Theme: ${theme}`} onClick={nextTheme}>
          <Icon name="theme" />
        </Button>
        <a
          className="button button-ghost button-icon"
          href={operateAddress(me.is_operator ? "figures" : "agents")}
          aria-label={me.is_operator ? "Operate" : "Agents"}
          title={me.is_operator ? "Operate" : "Agents"}
          aria-current={route.page === "operate" ? "page" : undefined}
        >
          <Icon name="settings" />
        </a>
        {signOut !== undefined && (
          <Button look="ghost" onClick={signOut}>
            Sign out
          </Button>
        )}
      </footer>
    </aside>
  );
}

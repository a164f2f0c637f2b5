import { CopyButton } from "../ui/CopyButton";
import { cardTarget } from "./target";

const STYLES = ["primary", "ghost", "danger"];

/** A button of a card: it leads somewhere or copies something. What only the agent's own app can do is shown, not done. */
export function CardButton({ node }: { node: Record<string, unknown> }) {
  const label = typeof node["label"] === "string" ? node["label"] : "";
  const action = (node["action"] ?? {}) as Record<string, unknown>;
  const style = STYLES.find((each) => each === node["style"]);
  const look = style === undefined ? "button" : `button button-${style}`;
  switch (action["type"]) {
    case "url":
    case "navigation": {
      const target = cardTarget(action["url"] ?? action["path"], location.href);
      return target === undefined ? null : (
        <a
          className={look}
          href={target.href}
          rel="noopener noreferrer nofollow"
          target={target.isHere ? undefined : "_blank"}
          title={target.href}
          dir="auto"
        >
          {label}
        </a>
      );
    }
    case "copy":
      return (
        <CopyButton
          className={look}
          label={label}
          text={() => (typeof action["text"] === "string" ? action["text"] : "")}
        />
      );
    case "event":
    case "tool":
      return (
        <button type="button" className={look} dir="auto" disabled title="This is for the agent's own app.">
          {label}
        </button>
      );
    default:
      return null;
  }
}

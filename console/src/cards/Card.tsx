import "./cards.css";
import type { UiSchema } from "@parley/client";
import { draw, listOf, oneOf, STATUSES, textIn, type Given } from "./nodes";

const THEMES = ["light", "dark"];

/**
 * Draws a UiSchema 2.0: a closed set of nodes, of which unknown ones are left out. Texts are put as text. Nothing is
 * loaded from elsewhere, and a link leads to https or stays on this site.
 */
export function Card({ schema }: { schema: UiSchema }) {
  const root = schema.version === "2.0" ? draw(schema.root, 0) : null;
  if (root === null) {
    return null;
  }
  return (
    <section
      className="card-root"
      lang={textIn(schema.locale) || undefined}
      data-status={oneOf(schema.status, STATUSES, "info")}
      data-theme={THEMES.includes(schema.theme) ? schema.theme : undefined}
      aria-label={titleIn(schema.root) ?? "Card"}
    >
      {root}
    </section>
  );
}

function titleIn(root: Given): string | undefined {
  const title = listOf((root as { children?: unknown } | undefined)?.children).find((each) => each["role"] === "title");
  return textIn(title?.["content"]) || undefined;
}

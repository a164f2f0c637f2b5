/**
 * Draws a UiSchema 2.0: a closed set of nodes, of which unknown ones are left out. Texts are put as text. Nothing is loaded
 * from elsewhere, and a link leads to https or stays on this site.
 */
import { byId, make } from "./dom.js";

const DEEPEST = 12;
const MOST_COLUMNS = 6;
const MOST_GAP = 8;
const COPIED_MS = 1_500;
const STATUSES = new Set(["info", "success", "warning", "error", "pending"]);
const THEMES = new Set(["light", "dark"]);
const ROLES = new Set(["title", "subtitle", "body", "caption", "code"]);
const STYLES = new Set(["primary", "secondary", "ghost", "danger"]);
const ICONS = { info: "ℹ", success: "✓", check: "✓", warning: "⚠", error: "✕", close: "✕", pending: "…", star: "★" };

/** The element for a schema; none if there is nothing in it that can be drawn. */
export function card(schema) {
  if (schema?.version !== "2.0") {
    return undefined;
  }
  const root = node(schema.root, 0);
  if (root === undefined) {
    return undefined;
  }
  return make(
    "section",
    {
      class: "card",
      lang: text(schema.locale) || false,
      "data-status": oneOf(schema.status, STATUSES, "info"),
      "data-theme": oneOf(schema.theme, THEMES, false),
      "aria-label": titleIn(schema.root) ?? "Card",
    },
    root,
  );
}

const text = (value) => (typeof value === "string" ? value : "");
const oneOf = (value, known, otherwise) => (known.has(value) ? value : otherwise);
const listOf = (value) => (Array.isArray(value) ? value : []);
const within = (value, least, most, otherwise) =>
  Number.isInteger(value) ? Math.min(most, Math.max(least, value)) : otherwise;

const titleIn = (root) => text(listOf(root?.children).find((each) => each?.role === "title")?.content) || undefined;

const DRAWN = { stack, grid, text: words, badge, icon, image, kv, divider, button };

function node(given, depth) {
  const draw = Object.hasOwn(DRAWN, given?.type) ? DRAWN[given.type] : undefined;
  return depth > DEEPEST ? undefined : draw?.(given, depth);
}

/** Buttons stand side by side, and a badge beside its title. */
function stack({ direction, gap, appearance, children }, depth) {
  const isRow = direction === "horizontal";
  const made = make("div", { class: isRow ? "stack row" : "stack" });
  made.classList.toggle("inner-card", appearance === "card" && depth > 0);
  space(made, gap);
  let line;
  let before;
  for (const child of listOf(children)) {
    const element = node(child, depth + 1);
    if (element === undefined) {
      continue;
    }
    const joins =
      (child.type === "button" && before?.type === "button") || (child.type === "badge" && before?.role === "title");
    if (!isRow && joins) {
      if (line === undefined) {
        line = make("div", { class: before.type === "button" ? "row buttons" : "row" });
        made.lastChild.replaceWith(line);
        line.append(before.element);
      }
      line.append(element);
    } else {
      line = undefined;
      made.append(element);
    }
    before = { type: child.type, role: child.role, element };
  }
  return made;
}

function grid({ columns, gap, children }, depth) {
  const made = make("div", { class: "grid" }, ...listOf(children).map((child) => node(child, depth + 1)));
  made.style.setProperty("--columns", within(columns, 1, MOST_COLUMNS, 2));
  space(made, gap);
  return made;
}

function space(element, gap) {
  if (Number.isInteger(gap)) {
    element.style.setProperty("--gap", `${within(gap, 0, MOST_GAP) * 0.25}rem`);
  }
}

/** What is meant as markdown is shown as it was written. */
function words({ content, role }) {
  const kind = oneOf(role, ROLES, "body");
  return make(kind === "code" ? "pre" : "p", { class: `card-${kind}`, dir: "auto" }, text(content));
}

function badge({ label, status }) {
  return make("span", { class: "status", "data-status": oneOf(status, STATUSES, "info"), dir: "auto" }, text(label));
}

function icon({ source, value }) {
  if (source === "emoji") {
    return make("span", { class: "icon" }, text(value));
  }
  if (source === "url") {
    const address = target(value);
    return address?.isHere ? own(address, "", "icon") : undefined;
  }
  const sign = Object.hasOwn(ICONS, value) ? ICONS[value] : undefined;
  return sign && make("span", { class: "icon", role: "img", "aria-label": value }, sign);
}

/** Images of other sites would tell them who reads: they are offered, not loaded. */
function image({ url, alt }) {
  const address = target(url);
  if (address === undefined) {
    return undefined;
  }
  return address.isHere
    ? own(address, text(alt), "card-image")
    : link(address, `${text(alt) || "Image"} (${address.host})`, "card-link");
}

function own({ href }, alt, kind) {
  return make("img", { class: kind, src: href, alt, loading: "lazy", decoding: "async", referrerpolicy: "no-referrer" });
}

function kv({ items }) {
  return make(
    "dl",
    {},
    ...listOf(items).map((item) =>
      make(
        "div",
        {},
        make("dt", { dir: "auto" }, text(item?.label)),
        make("dd", { dir: "auto" }, String(item?.value ?? "")),
      ),
    ),
  );
}

function divider() {
  return make("hr");
}

function button({ label, style, action }) {
  const kind = `action ${oneOf(style, STYLES, "secondary")}`;
  switch (action?.type) {
    case "url":
    case "navigation": {
      const address = target(action.url ?? action.path);
      return address && link(address, text(label), `button ${kind}`);
    }
    case "copy": {
      const made = make("button", { type: "button", class: kind, dir: "auto" }, text(label));
      made.addEventListener("click", () => copy(made, text(action.text)));
      return made;
    }
    case "event":
    case "tool":
      return make(
        "button",
        { type: "button", class: kind, dir: "auto", disabled: true, title: "This is for the agent's own app." },
        text(label),
      );
    default:
      return undefined;
  }
}

function link({ href, isHere }, label, kind) {
  return make(
    "a",
    { class: kind, href, dir: "auto", rel: "noopener noreferrer", target: isHere ? false : "_blank" },
    label,
  );
}

/** Where an address leads; nowhere unless that is https, or a path of this site in plain spelling. */
function target(given) {
  const spelled = text(given);
  if (spelled === "" || /[\\\p{C}\p{Z}]/u.test(spelled)) {
    return undefined;
  }
  const isPath = !/^[a-z][a-z0-9+.-]*:/i.test(spelled) && !spelled.startsWith("//");
  const url = URL.parse(spelled, isPath ? location.href : undefined);
  if (url === null || url.username || url.password) {
    return undefined;
  }
  if (isPath) {
    return url.origin === location.origin ? { href: url.href, isHere: true } : undefined;
  }
  return url.protocol === "https:" ? { href: url.href, host: url.host, isHere: false } : undefined;
}

async function copy(pressed, what) {
  const said = pressed.textContent;
  let result = "Copied";
  try {
    await navigator.clipboard.writeText(what);
  } catch {
    result = "Not copied";
  }
  byId("announcer").textContent = result;
  // As wide as before, so that nothing beside it moves.
  pressed.style.minWidth = `${pressed.offsetWidth}px`;
  pressed.textContent = result;
  pressed.disabled = true;
  setTimeout(() => {
    pressed.textContent = said;
    pressed.disabled = false;
  }, COPIED_MS);
}

import { Fragment, type CSSProperties, type ReactNode } from "react";
import { CardButton } from "./CardButton";
import { cardTarget, type CardTarget } from "./target";

/** What came over the wire as a node; nothing of it is taken for granted. */
export type Given = unknown;
type Members = Record<string, unknown>;

const DEEPEST = 12;
const MOST_COLUMNS = 6;
const MOST_GAP = 8;
export const STATUSES = ["info", "success", "warning", "error", "pending"];
const ROLES = ["title", "subtitle", "body", "caption", "code"];
const ICONS: Record<string, string> = {
  info: "ℹ",
  success: "✓",
  check: "✓",
  warning: "⚠",
  error: "✕",
  close: "✕",
  pending: "…",
  star: "★",
};

export const textIn = (value: unknown): string => (typeof value === "string" ? value : "");
export const oneOf = (value: unknown, known: string[], otherwise: string): string =>
  typeof value === "string" && known.includes(value) ? value : otherwise;
export const listOf = (value: unknown): Members[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === "object" && each !== null) : [];

const within = (value: unknown, least: number, most: number, otherwise: number): number =>
  Number.isInteger(value) ? Math.min(most, Math.max(least, value as number)) : otherwise;
const room = (gap: unknown): CSSProperties | undefined =>
  Number.isInteger(gap) ? { gap: `${within(gap, 0, MOST_GAP, 0) * 0.25}rem` } : undefined;

const DRAWN: Record<string, (node: Members, depth: number) => ReactNode> = {
  stack,
  grid,
  text: words,
  badge: ({ label, status }) => (
    <span className="card-status" data-status={oneOf(status, STATUSES, "info")} dir="auto">
      {textIn(label)}
    </span>
  ),
  icon,
  image,
  kv,
  divider: () => <hr className="card-divider" />,
  button: (node) => <CardButton node={node} />,
};

/** The element for a node; null if it cannot be drawn. */
export function draw(given: Given, depth: number): ReactNode {
  const node = typeof given === "object" && given !== null ? (given as Members) : {};
  const type = textIn(node["type"]);
  return depth > DEEPEST || !Object.hasOwn(DRAWN, type) ? null : (DRAWN[type]?.(node, depth) ?? null);
}

/** Buttons stand side by side, and a badge beside its title. */
function stack({ direction, gap, appearance, children }: Members, depth: number): ReactNode {
  const isRow = direction === "horizontal";
  const lines: Members[][] = [];
  for (const child of listOf(children)) {
    const line = lines.at(-1);
    const before = line?.at(-1);
    const joins =
      (child["type"] === "button" && before?.["type"] === "button") ||
      (child["type"] === "badge" && before?.["role"] === "title");
    if (!isRow && joins) {
      line?.push(child);
    } else {
      lines.push([child]);
    }
  }
  const inner = appearance === "card" && depth > 0 ? " card-inner" : "";
  return (
    <div className={(isRow ? "card-stack card-row" : "card-stack") + inner} style={room(gap)}>
      {lines.map((line, index) =>
        line.length > 1 ? (
          <div key={index} className="card-row">
            {drawAll(line, depth)}
          </div>
        ) : (
          <Fragment key={index}>{drawAll(line, depth)}</Fragment>
        ),
      )}
    </div>
  );
}

const drawAll = (nodes: Members[], depth: number): ReactNode =>
  nodes.map((node, index) => <Fragment key={index}>{draw(node, depth + 1)}</Fragment>);

function grid({ columns, gap, children }: Members, depth: number): ReactNode {
  const style = { ...room(gap), "--card-columns": within(columns, 1, MOST_COLUMNS, 2) } as CSSProperties;
  return (
    <div className="card-grid" style={style}>
      {drawAll(listOf(children), depth)}
    </div>
  );
}

/** What is meant as markdown is shown as it was written. */
function words({ content, role }: Members): ReactNode {
  const kind = oneOf(role, ROLES, "body");
  const Tag = kind === "code" ? "pre" : "p";
  return (
    <Tag className={`card-${kind}`} dir="auto">
      {textIn(content)}
    </Tag>
  );
}

function icon({ source, value }: Members): ReactNode {
  const name = textIn(value);
  if (source === "emoji") {
    return <span className="card-icon">{name.slice(0, 16)}</span>;
  }
  if (source === "url") {
    const target = cardTarget(value, location.href);
    return target?.isHere ? <Own target={target} alt="" kind="card-icon" /> : null;
  }
  return Object.hasOwn(ICONS, name) ? (
    <span className="card-icon" role="img" aria-label={name}>
      {ICONS[name]}
    </span>
  ) : null;
}

/** Images of other sites would tell them who reads: they are offered, not loaded. */
function image({ url, alt }: Members): ReactNode {
  const target = cardTarget(url, location.href);
  if (target === undefined) {
    return null;
  }
  return target.isHere ? (
    <Own target={target} alt={textIn(alt)} kind="card-image" />
  ) : (
    <a className="card-link" href={target.href} target="_blank" rel="noopener noreferrer nofollow" dir="auto">
      {textIn(alt) || "Image"} ({target.host})
    </a>
  );
}

function Own({ target, alt, kind }: { target: CardTarget; alt: string; kind: string }) {
  return <img className={kind} src={target.href} alt={alt} loading="lazy" decoding="async" referrerPolicy="no-referrer" />;
}

function kv({ items }: Members): ReactNode {
  return (
    <dl className="card-kv">
      {listOf(items).map((item, index) => (
        <div key={index}>
          <dt dir="auto">{textIn(item["label"])}</dt>
          <dd dir="auto">{String(item["value"] ?? "")}</dd>
        </div>
      ))}
    </dl>
  );
}

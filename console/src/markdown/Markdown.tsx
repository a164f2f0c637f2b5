import "./markdown.css";
import { Component, memo, useDeferredValue, useMemo, type ReactNode } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { isReadable, splitBlocks } from "./blocks";
import { CodeBlock } from "./CodeBlock";
import { highlightCode } from "./highlight";
import { targetOf } from "./links";

const REMARK = [remarkGfm];
const REHYPE = [highlightCode];

/** Links say where they lead. Images are not loaded, since that would tell others who reads: they are links too. */
const COMPONENTS: Components = {
  a: ({ href, children }) => <Link href={href}>{children}</Link>,
  img: ({ src, alt }) => <Link href={typeof src === "string" ? src : undefined}>{alt || "Image"}</Link>,
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  table: ({ children }) => (
    <div className="markdown-table" tabIndex={0} role="group" aria-label="Table">
      <table>{children}</table>
    </div>
  ),
  input: ({ checked }) => <input type="checkbox" checked={checked ?? false} readOnly disabled aria-label="Done" />,
};

/** A text of an agent's, drawn as markdown; nothing in it runs, and nothing is loaded. */
export function Markdown({ text }: { text: string }) {
  // Whoever types or scrolls meanwhile comes first.
  const shown = useDeferredValue(text);
  const blocks = useMemo(() => splitBlocks(shown), [shown]);
  return (
    <div className="markdown" dir="auto">
      {blocks.map((block, index) => (
        <div key={index} className="markdown-block">
          <Block text={block} />
        </div>
      ))}
    </div>
  );
}

/** Part of a text; drawn again only when it changes. */
const Block = memo(function Block({ text }: { text: string }) {
  const asItIs = <p className="markdown-plain">{text}</p>;
  return isReadable(text) ? (
    <Careful otherwise={asItIs}>
      <ReactMarkdown remarkPlugins={REMARK} rehypePlugins={REHYPE} components={COMPONENTS} urlTransform={asGiven}>
        {text}
      </ReactMarkdown>
    </Careful>
  ) : (
    asItIs
  );
});

/** Links are judged where they are drawn. */
const asGiven = (url: string): string => url;

function Link({ href, children }: { href: string | undefined; children?: ReactNode }) {
  const target = targetOf(href, wordsOf(children));
  if (target === undefined) {
    return <span title={href}>{children}</span>;
  }
  return (
    <>
      <a href={target.href} target="_blank" rel="noopener noreferrer nofollow" title={target.href}>
        {children}
      </a>
      {target.host !== undefined && <span className="markdown-host"> ({target.host})</span>}
    </>
  );
}

function wordsOf(node: ReactNode): string {
  if (typeof node === "string" || typeof node === "number") {
    return String(node);
  }
  return Array.isArray(node) ? node.map(wordsOf).join("") : "";
}

/** Shows something else if a text cannot be drawn. */
class Careful extends Component<{ otherwise: ReactNode; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.otherwise : this.props.children;
  }
}

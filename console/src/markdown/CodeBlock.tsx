import { isValidElement, useRef, type ReactNode } from "react";
import { CopyButton } from "../ui/CopyButton";

/** A block of code with the name of its language and a button that copies it. */
export function CodeBlock({ children }: { children: ReactNode }) {
  const code = useRef<HTMLPreElement>(null);
  const language = languageOf(children);
  return (
    <div className="markdown-code">
      <div className="markdown-code-head">
        <span>{language ?? "Code"}</span>
        <CopyButton className="markdown-copy" text={() => code.current?.textContent ?? ""} />
      </div>
      <pre ref={code} dir="ltr" tabIndex={0} aria-label={language === undefined ? "Code" : `Code, ${language}`}>
        {children}
      </pre>
    </div>
  );
}

function languageOf(children: ReactNode): string | undefined {
  const name = isValidElement<{ className?: string }>(children) ? children.props.className : undefined;
  return /language-([\w+#.-]{1,20})/.exec(name ?? "")?.[1];
}

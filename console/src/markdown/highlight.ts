import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import python from "highlight.js/lib/languages/python";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { createLowlight } from "lowlight";

interface Node {
  type: string;
  tagName?: string;
  value?: string;
  properties?: { className?: unknown };
  children?: Node[];
}

const LONGEST = 20_000;

const known = createLowlight({
  bash, c, cpp, css, diff, go, java, javascript, json, kotlin, python, rust, sql, typescript, xml, yaml,
});
known.registerAlias({ bash: ["sh", "shell", "console"], yaml: ["yml"], typescript: ["tsx"], javascript: ["jsx"] });

/** Colours the code in what was parsed from markdown, if its language is known; a rehype plugin. */
export function highlightCode() {
  return (tree: Node): void => visit(tree);
}

function visit(node: Node): void {
  for (const child of node.children ?? []) {
    if (node.tagName === "pre" && child.tagName === "code") {
      colour(child);
    } else {
      visit(child);
    }
  }
}

function colour(code: Node): void {
  const names = Array.isArray(code.properties?.className) ? code.properties.className.map(String) : [];
  const language = names.find((name) => name.startsWith("language-"))?.slice("language-".length) ?? "";
  const text = code.children?.[0]?.value ?? "";
  if (known.registered(language) && text.length <= LONGEST) {
    code.children = known.highlight(language, text).children as Node[];
  }
}

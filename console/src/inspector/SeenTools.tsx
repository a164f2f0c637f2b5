import type { ContextTool } from "@parley/client";

/** The tools that a model was told of. */
export function SeenTools({ tools }: { tools: ContextTool[] }) {
  if (tools.length === 0) {
    return null;
  }
  return (
    <details className="inspector-more">
      <summary>{tools.length === 1 ? "1 tool" : `${tools.length} tools`}</summary>
      <ul className="seen-list">
        {tools.map((tool) => (
          <li key={tool.name} className="seen-message">
            <code>{tool.name}</code>
            <p className="small" dir="auto">
              {tool.description}
            </p>
            {tool.parameters !== null && (
              <pre className="seen-text" dir="ltr">
                {JSON.stringify(tool.parameters, null, 2)}
              </pre>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

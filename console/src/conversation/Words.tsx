import type { Said } from "./model/said";
import { Reasoning } from "./Reasoning";
import { AgentText, HumanText } from "./Text";
import { ToolAnswer, ToolCall } from "./ToolCall";

/** What is said: the thoughts before it, the words, and the tools that are called. */
export function Words({ said, toolName }: { said: Said; toolName: string | undefined }) {
  const { role, text, thoughts, calls } = said;
  return (
    <>
      {thoughts.map((thought) => (
        <Reasoning key={thought.id} text={thought.text} isThinking={thought.isThinking} ms={thought.ms} />
      ))}
      {role === "tool" && <ToolAnswer name={toolName ?? "Tool"} result={text} />}
      {role === "assistant" && text !== "" && <AgentText text={text} />}
      {(role === "user" || role === "system") && text !== "" && <HumanText text={text} />}
      {calls.map((call) => (
        <ToolCall key={call.id} call={call} />
      ))}
    </>
  );
}

/** An agent that can be asked. */
export interface AgentOption {
  agentId: string;
  name: string;
}

interface AgentChoiceProps {
  agents: AgentOption[];
  chosen: string | undefined;
  onChoose: (agentId: string | undefined) => void;
}

/** Who shall answer; unless somebody is chosen, whoever should by the thread's own rules. */
export function AgentChoice({ agents, chosen, onChoose }: AgentChoiceProps) {
  return (
    <select
      className="composer-agent"
      aria-label="Who answers"
      value={chosen ?? ""}
      onChange={(event) => onChoose(event.target.value || undefined)}
    >
      <option value="">Automatic</option>
      {agents.map((agent) => (
        <option key={agent.agentId} value={agent.agentId}>
          {agent.name}
        </option>
      ))}
    </select>
  );
}

import type { AgentView } from "@parley/client";
import { Badge } from "../../ui/Badge";
import { Button } from "../../ui/Button";
import { Icon } from "../../ui/Icon";
import { Menu } from "../../ui/Menu";
import type { Column } from "../Records";
import { Time } from "../Time";
import { KINDS } from "./kinds";

interface AgentActs {
  busy: boolean;
  onSwitch: (agent: AgentView) => void;
  onEdit: (agent: AgentView) => void;
  onTokens: (agent: AgentView) => void;
  onDelete: (agent: AgentView) => void;
}

/** What is shown of an agent, and what can be done with it. */
export function agentColumns({ busy, onSwitch, onEdit, onTokens, onDelete }: AgentActs): Column<AgentView>[] {
  return [
    { head: "Name", kind: "main", cell: (agent) => <span dir="auto">{agent.display_name}</span> },
    { head: "Kind", cell: (agent) => <Badge title={KINDS[agent.kind].hint}>{KINDS[agent.kind].words}</Badge> },
    {
      head: "State",
      cell: (agent) => (
        <span className="operate-badges">
          <Badge tone={agent.is_active ? "good" : "warn"}>{agent.is_active ? "active" : "switched off"}</Badge>
          {agent.visibility === "shared" && <Badge tone="accent">shared</Badge>}
        </span>
      ),
    },
    { head: "Made", cell: (agent) => <Time at={agent.created_at} /> },
    {
      head: "Actions",
      kind: "actions",
      cell: (agent) => (
        <>
          <Button onClick={() => onEdit(agent)}>Change</Button>
          {agent.kind === "external" && <Button onClick={() => onTokens(agent)}>Tokens</Button>}
          <Menu
            label={`More for ${agent.display_name}`}
            items={[
              {
                label: agent.is_active ? "Switch off" : "Switch on",
                onSelect: () => busy || onSwitch(agent),
              },
              { label: "Delete", danger: true, onSelect: () => onDelete(agent) },
            ]}
          >
            <Icon name="menu" />
          </Menu>
        </>
      ),
    },
  ];
}

import type { AgentOption } from "../composer/AgentChoice";
import { useParley } from "../connection/context";
import { useLoaded } from "../ui/useLoaded";

const NONE: AgentOption[] = [];

/** The agents that one may ask, by their names. */
export function useAgents(): AgentOption[] {
  const parley = useParley();
  const { value } = useLoaded((signal) => parley.usableAgents({ signal }), [parley]);
  return value ?? NONE;
}

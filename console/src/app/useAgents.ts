import type { UsableAgent } from "@parley/client";
import { useParley } from "../connection/context";
import { useLoaded } from "../ui/useLoaded";

const NONE: UsableAgent[] = [];

/** The agents that the reader may ask; none while they are loaded. */
export function useAgents(): UsableAgent[] {
  const parley = useParley();
  const { value } = useLoaded((signal) => parley.usableAgents({ signal }), [parley]);
  return value ?? NONE;
}

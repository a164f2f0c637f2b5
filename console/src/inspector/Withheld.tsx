import { ParleyError } from "@parley/client";
import { Failure } from "../ui/Failure";

/** Why there is nothing to see. */
export function Withheld({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (error instanceof ParleyError && error.status === 403) {
    return <p className="empty">Only the agent's owner, the thread's managers and operators may see this.</p>;
  }
  if (error instanceof ParleyError && error.status === 404) {
    return <p className="empty">Nothing is kept here of what this run's agent was shown.</p>;
  }
  return <Failure error={error} onRetry={onRetry} />;
}

import { ParleyError } from "@parley/client";
import { Button } from "./Button";

/** What an error says to a person. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ParleyError) {
    return error.detail;
  }
  return error instanceof Error ? error.message : String(error);
}

/** Says that something did not work, and offers to try again. */
export function Failure({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  return (
    <div className="notice notice-bad" role="alert">
      <span dir="auto">{sentenceOf(error)}</span>
      {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

import type { Pending } from "../../composer/outbox";
import type { Growing } from "./growing";
import type { ThreadModel } from "./thread-model";

/** What stands behind the last committed message: what is being said, and what is still on its way. */
export type TailItem =
  | { kind: "growing"; key: string; growing: Growing }
  | { kind: "pending"; key: string; pending: Pending };

/**
 * What was sent stands above the answer to it, and below everything else. Asking again says nothing, unless it is refused.
 */
export function tailOf(model: ThreadModel, pending: readonly Pending[]): TailItem[] {
  const isSaid = ({ regenerateFrom, refusal }: Pending): boolean => regenerateFrom === undefined || refusal !== undefined;
  const waiting = pending.filter((each) => isSaid(each) && !model.index.hasArrived(each.key));
  const growing = model.live.messages();
  const answered = new Set(growing.map((each) => each.runId));
  const asItem = (each: Pending): TailItem => ({ kind: "pending", key: `pending:${each.key}`, pending: each });
  return [
    ...waiting.filter((each) => answered.has(each.key)).map(asItem),
    ...growing.map((each): TailItem => ({ kind: "growing", key: each.key, growing: each })),
    ...waiting.filter((each) => !answered.has(each.key)).map(asItem),
  ];
}

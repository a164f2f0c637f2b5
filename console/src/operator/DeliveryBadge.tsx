import type { DeliveryState } from "@parley/client";
import { Badge } from "../ui/Badge";
import { DELIVERY_STATES } from "./words";

/** What became of a reply. */
export function DeliveryBadge({ state }: { state: DeliveryState }) {
  const { words, tone, title } = DELIVERY_STATES[state];
  return (
    <Badge tone={tone} title={title}>
      {words}
    </Badge>
  );
}

import type { DeliveryState } from "@parley/client";
import { Badge } from "./Badge";

/** What became of a reply to a chat platform, in words that end "The reply is …", and in a sentence. */
export const DELIVERY_STATES = {
  waiting: { words: "waiting", tone: "accent", title: "It waits to be sent." },
  sending: { words: "on its way", tone: "accent", title: "It is being sent right now." },
  sent: { words: "delivered", tone: "good", title: "The platform has taken it." },
  uncertain: { words: "perhaps delivered", tone: "warn", title: "Nobody can find out whether it arrived." },
  dead: { words: "not delivered", tone: "bad", title: "It was refused, or was tried for too long." },
} as const satisfies Record<DeliveryState, { words: string; tone: string; title: string }>;

interface DeliveryBadgeProps {
  state: DeliveryState;
  /** The platform, if it is not said beside it. */
  source?: string | undefined;
  /** What went wrong, if that is known. */
  problem?: string | null | undefined;
}

/** What became of a reply. */
export function DeliveryBadge({ state, source, problem }: DeliveryBadgeProps) {
  const { words, tone, title } = DELIVERY_STATES[state];
  return (
    <Badge tone={tone} title={problem ?? title}>
      {source !== undefined && (
        <>
          <bdi>{source}</bdi>:{" "}
        </>
      )}
      {words}
    </Badge>
  );
}

import { Keys } from "./Keys";
import { WhyAnswered } from "./WhyAnswered";

/** Who may bring messages from other platforms, and what became of one of them. */
export function Integrations() {
  return (
    <>
      <WhyAnswered />
      <Keys />
    </>
  );
}

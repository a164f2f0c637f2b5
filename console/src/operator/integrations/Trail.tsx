import type { DeliveryState, MessageTrace } from "@parley/client";
import type { ReactNode } from "react";
import { runAddress, threadAddress } from "../../app/route";
import { Badge } from "../../ui/Badge";
import { DeliveryBadge } from "../DeliveryBadge";
import { Time } from "../Time";
import { reasonSentence } from "../words";
import "./trail.css";

const WENT: Record<DeliveryState, string> = {
  waiting: "The answer waits to go out",
  sending: "The answer is on its way",
  sent: "The answer went out",
  uncertain: "The answer may have arrived",
  dead: "The answer did not arrive",
};

/** What became of one message, step by step: it came, it was judged, a run answered, the answer went out. */
export function Trail({ trace }: { trace: MessageTrace }) {
  const { engagement, run, deliveries } = trace;
  const where = [trace.workspace_id, trace.channel_external_id].filter(Boolean).join(" · ");
  return (
    <ol className="trail" aria-label={`What became of ${trace.external_message_id ?? trace.event_id}`}>
      <Step title="It came" tone="good" at={trace.received_at}>
        <p>
          From <code dir="auto">{trace.sender_id}</code> {trace.sender_is_bot && <Badge>bot</Badge>}
          {trace.linked_user !== null && (
            <>
              , who is <code>{trace.linked_user}</code>
            </>
          )}
          {where !== "" && (
            <>
              {" in "}
              <code dir="auto">{where}</code>
            </>
          )}
        </p>
        <p>
          <a href={threadAddress(trace.session_id)}>Its conversation</a>, entry {trace.seq}
        </p>
      </Step>
      <Step title={engagement.run ? "It is to be answered" : "It is not answered"} tone={engagement.run ? "good" : "warn"}>
        <p>
          {reasonSentence(engagement.reason)} <code className="quiet">{engagement.reason}</code>
        </p>
        {trace.raised_at !== null && (
          <p>
            It came once more and addressed an agent: <Time at={trace.raised_at} />
          </p>
        )}
      </Step>
      {run !== null && (
        <Step title="An agent took it" tone={run.state === "failed" ? "bad" : "good"}>
          <p>
            <a href={runAddress(trace.session_id, run.run_id)}>What the agent did</a>{" "}
            <Badge tone={run.state === "failed" ? "bad" : "plain"}>{run.state ?? "not begun"}</Badge>
          </p>
        </Step>
      )}
      {deliveries.map((each) => (
        <Step
          key={each.delivery_id}
          title={each.parts === 1 ? WENT[each.state] : `${WENT[each.state]}, part ${each.part} of ${each.parts}`}
          tone={each.state === "sent" ? "good" : each.state === "dead" ? "bad" : "warn"}
          at={each.ended_at ?? each.created_at}
        >
          <p>
            To <code dir="auto">{`${each.source} ${each.channel_external_id}`}</code> <DeliveryBadge state={each.state} />
            {each.attempts > 1 && ` after ${each.attempts} attempts`}
          </p>
          {each.problem !== null && <p dir="auto">{each.problem}</p>}
        </Step>
      ))}
      {run !== null && deliveries.length === 0 && (
        <Step title="Nothing went out" tone="warn">
          <p>No answer was sent to the platform, or not yet.</p>
        </Step>
      )}
    </ol>
  );
}

interface StepProps {
  title: string;
  tone: "good" | "warn" | "bad";
  at?: string | null;
  children: ReactNode;
}

function Step({ title, tone, at, children }: StepProps) {
  return (
    <li className="trail-step" data-tone={tone}>
      <div className="trail-head">
        <h3>{title}</h3>
        {at !== undefined && (
          <span className="quiet small">
            <Time at={at} />
          </span>
        )}
      </div>
      {children}
    </li>
  );
}

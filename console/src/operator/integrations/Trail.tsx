import type { DeliveryView, MessageTrace, TracedHistory } from "@parley/client";
import type { ReactNode } from "react";
import { messageAddress, runAddress } from "../../app/route";
import { Badge } from "../../ui/Badge";
import { DELIVERY_STATES } from "../../ui/DeliveryBadge";
import { reasonSentence } from "../../ui/reasons";
import { Time } from "../Time";
import "./trail.css";

function answered({ state, part, parts }: Pick<DeliveryView, "state" | "part" | "parts">): string {
  const which = parts === 1 ? "The answer" : `Part ${part} of ${parts} of the answer`;
  return `${which} is ${DELIVERY_STATES[state].words}`;
}

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
          <a href={messageAddress(trace.session_id, trace.seq)}>Its conversation</a>, entry {trace.seq}
        </p>
      </Step>
      {trace.thread_history !== null && <History history={trace.thread_history} />}
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
          title={answered(each)}
          tone={each.state === "sent" ? "good" : each.state === "dead" ? "bad" : "warn"}
          at={each.ended_at ?? each.created_at}
        >
          <p>
            To <code dir="auto">{`${each.source} ${each.channel_external_id}`}</code>
            {each.attempts > 1 && `, attempt ${each.attempts}`}. {DELIVERY_STATES[each.state].title}
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

/** The messages before it that the conversation lacks. */
function History({ history }: { history: TracedHistory }) {
  const { from, messages, left_out, problem } = history;
  const counted = `${messages} from ${from === "log" ? "another conversation here" : from}, ${left_out} left out.`;
  return (
    <Step title="Earlier messages were looked for" tone={problem === null ? "good" : "warn"}>
      <p>{counted}</p>
      {problem !== null && <p dir="auto">{problem}</p>}
    </Step>
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

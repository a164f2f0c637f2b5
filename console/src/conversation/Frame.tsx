import type { ReactNode, Ref } from "react";
import { Badge } from "../ui/Badge";
import { clockTime, exactTime } from "../ui/time";

interface FrameProps {
  name: string;
  isMine: boolean;
  isGrouped: boolean;
  isActive: boolean;
  /** Whether it was taken back or replaced. */
  isAside?: boolean;
  role: string;
  state: "committed" | "growing" | "pending" | "refused";
  seq?: number | undefined;
  at?: string | undefined;
  source?: string | undefined;
  /** The stage of a run in which it was said. */
  stage?: string | undefined;
  actions?: ReactNode;
  children: ReactNode;
  ref?: Ref<HTMLElement>;
}

/** Says who speaks, from where and when, around what is said. */
export function Frame({ name, role, state, seq, at, source, stage, actions, children, ref, ...looks }: FrameProps) {
  const { isMine, isGrouped, isActive, isAside = false } = looks;
  const classes = [
    "conversation-message",
    isMine && "conversation-mine",
    isGrouped && "conversation-grouped",
    isAside && "conversation-aside",
  ];
  return (
    <article
      ref={ref}
      className={classes.filter(Boolean).join(" ")}
      aria-label={name}
      aria-busy={state === "growing" || undefined}
      tabIndex={isActive ? 0 : -1}
      data-seq={seq}
      data-role={role}
      data-state={state}
    >
      <header className="conversation-head">
        {!isGrouped && (
          <bdi className="conversation-name ellipsis" title={name}>
            {name}
          </bdi>
        )}
        {!isGrouped && source !== undefined && (
          <Badge>
            <bdi>{source}</bdi>
          </Badge>
        )}
        {stage !== undefined && <span className="conversation-stage">{stage}</span>}
        {at !== undefined && (
          <time className="conversation-time" dateTime={at} title={exactTime(at)}>
            {clockTime(at)}
          </time>
        )}
        {actions}
      </header>
      <div className="conversation-body">{children}</div>
    </article>
  );
}

import type { ReactNode } from "react";
import type { RunView, UpstreamFailure } from "@parley/client";
import { messageAddress, runAddress } from "../app/route";
import { Badge } from "../ui/Badge";
import { CopyButton } from "../ui/CopyButton";
import { Icon } from "../ui/Icon";
import { duration, exactTime } from "../ui/time";
import { childrenOf, namedBy, type Branch, type Member } from "./family";
import { STATE_TONES } from "./words";

interface HeadProps {
  run: RunView;
  runs: readonly RunView[];
  /** What somebody is called, by sender id. */
  nameOf: (senderId: string) => string;
  /** Those of the run's team, by their run's id. */
  members: ReadonlyMap<string, Member>;
}

/** Who ran, for whom, when, and how it ended. */
export function Head({ run, runs, nameOf, members }: HeadProps) {
  const children = childrenOf(run, runs, members);
  const followers = namedBy(run, runs);
  return (
    <div className="inspector-head">
      <p className="inspector-line">
        <Badge tone={STATE_TONES[run.state]}>{run.state}</Badge>
        <code className="inspector-id" dir="auto">
          {run.runId}
        </code>
        <CopyButton icon={<Icon name="copy" />} text={() => run.runId} />
      </p>
      {run.error !== null && (
        <p className="notice notice-bad" dir="auto">
          {run.error.code !== null && <code>{run.error.code}</code>} {run.error.message}
        </p>
      )}
      {run.error?.upstream != null && <Upstream failure={run.error.upstream} />}
      <dl className="inspector-facts">
        <Fact name="Agent">{nameOf(run.agent)}</Fact>
        <Fact name="Started by">{nameOf(run.startedBy)}</Fact>
        <Fact name="Created">
          <time dateTime={run.created}>{exactTime(run.created)}</time>
        </Fact>
        <Fact name="Started">
          <Later since={run.created} at={run.started} />
        </Fact>
        <Fact name="Ended">
          <Later since={run.created} at={run.ended} />
        </Fact>
        <Fact name="Attempts">{run.attempts}</Fact>
        {run.triggers.length > 0 && (
          <Fact name="Answers">
            {run.triggers.map((seq) => (
              <a key={seq} href={messageAddress(run.threadId, seq)} className="inspector-link">
                message {seq}
              </a>
            ))}
          </Fact>
        )}
        {run.rootRunId !== null && (
          <Fact name="Part of">
            <RunLink threadId={run.threadId} runId={run.rootRunId} />
          </Fact>
        )}
        {run.rootRunId === null && run.parentRunId !== null && (
          <Fact name="Its client's parent">
            <RunLink threadId={run.threadId} runId={run.parentRunId} />
          </Fact>
        )}
        {children.length > 0 && (
          <Fact name="Had others do">
            <Tree
              threadId={run.threadId}
              branches={children}
              nameOf={({ runId, run: each }) => members.get(runId)?.name ?? (each ? nameOf(each.agent) : runId)}
            />
          </Fact>
        )}
        {followers.length > 0 && (
          <Fact name="Named as parent by">
            {followers.map((each) => (
              <RunLink key={each.taskId} threadId={each.threadId} runId={each.runId} />
            ))}
          </Fact>
        )}
      </dl>
    </div>
  );
}

/** What the provider answered; the server tells it to operators and the agent's owner alone. */
function Upstream({ failure }: { failure: UpstreamFailure }) {
  return (
    <p className="notice" dir="auto">
      {failure.status === null ? "No answer" : `Status ${failure.status}`} from <code>{failure.address}</code>
      {failure.message !== null && <>: {failure.message}</>}
    </p>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="inspector-fact">
      <dt className="quiet small">{name}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}

function RunLink({ threadId, runId }: { threadId: string; runId: string }) {
  return (
    <a href={runAddress(threadId, runId)} className="inspector-link" dir="auto">
      {runId}
    </a>
  );
}

/** How long after the beginning something was; the exact time is its tooltip. */
function Later({ since, at }: { since: string; at: string | null }) {
  return at === null ? (
    "not yet"
  ) : (
    <time dateTime={at} title={exactTime(at)}>
      after {duration(span(since, at))}
    </time>
  );
}

interface TreeProps {
  threadId: string;
  branches: Branch[];
  nameOf: (branch: Branch) => string;
}

function Tree({ threadId, branches, nameOf }: TreeProps) {
  return (
    <ul className="inspector-tree">
      {branches.map((branch) => (
        <li key={branch.runId}>
          <a href={runAddress(threadId, branch.runId)} dir="auto">
            {nameOf(branch)}
          </a>{" "}
          <span className="quiet small">{branch.run && howItStands(branch.run)}</span>
          {branch.children.length > 0 && <Tree threadId={threadId} branches={branch.children} nameOf={nameOf} />}
        </li>
      ))}
    </ul>
  );
}

const howItStands = ({ state, created, ended }: RunView): string =>
  ended === null ? state : `${state}, ${duration(span(created, ended))}`;

const span = (from: string, to: string): number => Date.parse(to) - Date.parse(from);

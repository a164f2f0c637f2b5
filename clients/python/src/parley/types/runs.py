"""Objects of the agent face."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

from parley.types.chat import Actor, JsonObject, RunState

# An AG-UI event: `type`, and the members of that type.
RunEvent = dict[str, Any]
MultitaskStrategy = Literal["enqueue", "reject", "interrupt", "rollback"]


class Context(TypedDict):
    description: str
    value: str


class TaskAccepted(TypedDict):
    taskId: str
    threadId: str
    runId: str
    created: str


class UpstreamFailure(TypedDict):
    """How the provider of a model failed."""

    status: int | None
    address: str
    message: str | None


class RunFailure(TypedDict):
    """`upstream` is for operators and the agent's owner alone."""

    code: str | None
    message: str
    upstream: UpstreamFailure | None


class RunUsage(TypedDict):
    request: int
    provider: str
    model: str
    inputTokens: int | None
    outputTokens: int | None
    cachedTokens: int | None
    reasoningTokens: int | None
    cost: float | None
    currency: str | None


class RunView(TypedDict):
    """A run. `openInterrupts` are the ids of its questions without an answer."""

    taskId: str
    threadId: str
    runId: str
    agent: Actor
    startedBy: Actor
    state: RunState
    parentRunId: str | None
    rootRunId: str | None
    triggers: list[int]
    attempts: int
    firstEvent: int | None
    lastEvent: int | None
    outcome: JsonObject | None
    openInterrupts: list[str]
    error: RunFailure | None
    usage: list[RunUsage]
    input: JsonObject | None
    created: str
    started: str | None
    ended: str | None


class RunPage(TypedDict):
    runs: list[RunView]
    nextCursor: str | None


class CancelAnswer(TypedDict):
    """`accepted`: the run is over now; `finished`: it was over before."""

    status: Literal["accepted", "finished", "unknown"]


class SharedStateView(TypedDict):
    threadId: str
    version: int
    state: Any


class RunStanding(TypedDict):
    """The position of a run that an external agent drives. `stop`: the run is over and takes no more events."""

    epoch: int
    next: int
    stop: bool


class AttachmentUploaded(TypedDict):
    bucket: str
    path: str
    mime_type: str
    url: str


class AttachmentUrl(TypedDict):
    bucket: str
    path: str
    url: str


class HistoryAttachment(TypedDict):
    bucket: str
    path: str
    mime_type: str | None
    filename: str | None
    width: int | None
    height: int | None
    url: str | None


class HistoryQuestion(TypedDict):
    """A user's message."""

    id: str
    seq: int
    role: Literal["user"]
    content: str
    url: str | None
    metadata: JsonObject | None
    timestamp: str
    attachments: list[HistoryAttachment]


class HistoryUsage(TypedDict):
    """The tokens and the cost of the model requests that made a message."""

    inputTokens: int | None
    outputTokens: int | None
    cachedTokens: int | None
    reasoningTokens: int | None
    cost: float | None
    currency: str | None


class HistoryAnswer(TypedDict):
    """A message of an agent or a tool."""

    id: str
    seq: int
    role: Literal["assistant", "tool"]
    content: str
    uiSchema: JsonObject | None
    metadata: JsonObject | None
    timestamp: str
    usage: HistoryUsage | None


HistoryMessage = HistoryQuestion | HistoryAnswer


class HistoryDay(TypedDict):
    """One day of a thread, or the latest part of a long one."""

    scope: Literal["history_day"]
    threadId: str | None
    day: str | None
    hasMore: bool
    messages: list[HistoryMessage]

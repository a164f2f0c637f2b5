"""Objects of the chat face."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

# `user:{uuid}`, `agent:{uuid}`, `system:parley`, or an external person: `<prefix>:<external id>`.
Actor = str
JsonObject = dict[str, Any]
ParticipationMode = Literal["open", "invocation_only"]
ThreadType = Literal["public", "workspace", "private"]
Capability = Literal["can_read", "can_send", "can_run", "can_manage_participants"]
Role = Literal["user", "assistant", "system", "tool"]
OnStale = Literal["accept", "reject"]
RunState = Literal["queued", "running", "waiting", "completed", "failed", "cancelled"]
Scope = Literal["observe", "speak", "run", "manage_thread"]


class Participant(TypedDict):
    sender_id: Actor
    participant_kind: Literal["user", "agent", "external", "system"]
    display_name: str
    capabilities: list[Capability]
    participation_mode: ParticipationMode | None
    last_read_seq: int


class ThreadView(TypedDict):
    """A thread as one caller sees it. `unread_count` is exact to 99; 100 means more."""

    thread_id: str
    thread_type: ThreadType
    title: str | None
    is_archived: bool
    participants: list[Participant]
    last_seq: int
    last_message_at: str | None
    last_message_preview: str | None
    unread_count: int
    participation_mode: ParticipationMode
    created_at: str


class ThreadPage(TypedDict):
    threads: list[ThreadView]
    next_cursor: str | None


class _AnsweringRun(TypedDict, total=False):
    run_id: str


class Engagement(_AnsweringRun):
    """Whether an agent should answer a message, the reason, and the run that answers it."""

    sender_id: Actor
    should_respond: bool
    reason: str


class Reaction(TypedDict):
    emoji: str
    sender_ids: list[Actor]


class MessageUsage(TypedDict):
    """The tokens and the cost of the model requests that made a message."""

    input_tokens: int | None
    output_tokens: int | None
    cached_tokens: int | None
    reasoning_tokens: int | None
    cost: float | None
    currency: str | None


class Message(TypedDict):
    """A message with its revisions applied."""

    id: str
    sender_id: Actor
    role: Role
    content: str
    metadata: JsonObject | None
    mentions: list[Actor]
    created_at: str
    client_message_id: str | None
    reply_to: str | None
    thread_seq: int
    base_seq: int | None
    latest_seen_seq: int | None
    server_seq_at_submit: int
    stale_lag: int | None
    edited_at: str | None
    deleted_at: str | None
    erased_at: str | None
    reactions: list[Reaction]
    engagement: list[Engagement] | None
    usage: MessageUsage | None


class PostedMessage(Message):
    """`duplicate`: an earlier attempt has written the message already."""

    accepted: bool
    message_id: str
    duplicate: bool
    stale: bool | None


class MessagePage(TypedDict):
    messages: list[Message]
    has_more: bool
    next_after_seq: int
    next_before_seq: int


class Entry(TypedDict):
    """One position of the log: a message, or a revision of one."""

    id: str
    thread_seq: int
    kind: Literal["message", "edit", "deletion", "reaction", "reaction_removed", "withdrawal", "supersession"]
    target_seq: int | None
    sender_id: Actor
    role: Role
    content: str
    metadata: JsonObject | None
    created_at: str
    erased_at: str | None


class EntryPage(TypedDict):
    entries: list[Entry]
    has_more: bool
    next_after_seq: int


class _RunUpdate(TypedDict, total=False):
    run_id: str
    agent: Actor
    state: RunState


class EventEnvelope(_RunUpdate):
    """One event of a thread, the same in polls, streams and webhooks."""

    event_id: str
    thread_id: str
    thread_seq: int
    event_type: Literal["message_committed", "message_revised", "messages_erased", "thread_updated", "run_updated"]
    sender_id: Actor | None
    role: Role | None
    content: str | None
    created_at: str
    metadata: JsonObject | None
    mentions: list[Actor]
    message_id: str | None
    client_message_id: str | None
    should_respond: bool | None
    engagement: list[Engagement] | None


class EventPage(TypedDict):
    events: list[EventEnvelope]
    has_more: bool


class Typing(TypedDict):
    thread_id: str
    sender_id: Actor
    display_name: str
    status: Literal["started", "stopped"]


class InboxHint(TypedDict):
    """A change in one of the caller's threads."""

    thread_id: str
    last_seq: int
    unread_count: int
    should_respond: bool | None


class Caller(TypedDict):
    sender_id: Actor
    kind: Literal["user", "agent", "integration"]
    display_name: str
    is_operator: bool
    scopes: list[Scope]

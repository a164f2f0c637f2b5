"""Objects of a user's own agents and their tokens."""

from __future__ import annotations

from typing import Literal, TypedDict

from parley.types.chat import Actor, JsonObject, Scope

AgentKind = Literal["demo", "external", "agui", "model"]
Visibility = Literal["private", "shared"]


class AgentView(TypedDict):
    agent_id: str
    sender_id: Actor
    display_name: str
    kind: AgentKind
    config: JsonObject
    visibility: Visibility
    is_active: bool
    created_at: str


class AgentTokenView(TypedDict):
    """`raw_token` is given once, in the answer that creates the token."""

    token_id: str
    agent_actor_id: Actor
    raw_token: str | None
    token_prefix: str
    agent_display_name: str
    scopes: list[Scope]
    expires_at: str | None
    created_at: str
    last_used_at: str | None

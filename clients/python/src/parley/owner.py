"""A user's own agents, and the tokens of external ones."""

from __future__ import annotations

from collections.abc import Sequence

from parley.ids import fresh_id
from parley.types.chat import JsonObject, Scope
from parley.types.owner import AgentKind, AgentTokenView, AgentView, Visibility
from parley.wire import Wire, to_json, under, without_none

AGENTS = "/api/v1/owner/agents"
TOKENS = "/api/v1/owner/external-agents/tokens"


class Owner:
    def __init__(self, wire: Wire):
        self._wire = wire

    def create_agent(
        self,
        display_name: str,
        kind: AgentKind,
        *,
        config: JsonObject | None = None,
        visibility: Visibility | None = None,
        idempotency_key: str | None = None,
    ) -> AgentView:
        """Creates an agent once, however often it has to be sent."""
        wish = {"display_name": display_name, "kind": kind, "config": config, "visibility": visibility}
        return self._wire.call("POST", AGENTS, to_json(without_none(wish)), key=idempotency_key or fresh_id()).body

    def agents(self) -> list[AgentView]:
        return self._wire.call("GET", AGENTS).body["agents"]

    def agent(self, agent_id: str) -> AgentView:
        return self._wire.call("GET", under(AGENTS, agent_id)).body

    def change_agent(
        self,
        agent_id: str,
        *,
        display_name: str | None = None,
        config: JsonObject | None = None,
        visibility: Visibility | None = None,
        is_active: bool | None = None,
    ) -> AgentView:
        """Changes the members that are given; the others stay as they are."""
        wish = {"display_name": display_name, "config": config, "visibility": visibility, "is_active": is_active}
        return self._wire.call("PATCH", under(AGENTS, agent_id), to_json(without_none(wish))).body

    def delete_agent(self, agent_id: str) -> None:
        self._wire.remove(under(AGENTS, agent_id))

    def create_token(
        self,
        agent_id: str,
        *,
        agent_display_name: str | None = None,
        scopes: Sequence[Scope] | None = None,
        expires_at: str | None = None,
    ) -> AgentTokenView:
        """Creates a token, whose `raw_token` only this answer shows.

        Sent once: if no answer comes, revoke the token that `tokens` lists and no process knows.
        """
        wish = {
            "agent_actor_id": agent_id,
            "agent_display_name": agent_display_name,
            "scopes": scopes,
            "expires_at": expires_at,
        }
        return self._wire.call("POST", TOKENS, to_json(without_none(wish)), repeatable=False).body

    def tokens(self) -> list[AgentTokenView]:
        return self._wire.call("GET", TOKENS).body["tokens"]

    def revoke_token(self, token_id: str) -> None:
        self._wire.remove(under(TOKENS, token_id))

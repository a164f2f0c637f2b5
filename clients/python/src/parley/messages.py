"""The messages of one thread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from parley.ids import fresh_id
from parley.types.chat import Actor, EntryPage, JsonObject, Message, MessagePage, OnStale, PostedMessage
from parley.wire import Wire, to_json, under, without_none

PAGE = 200


class Messages:
    def __init__(self, wire: Wire, thread: str):
        self._wire = wire
        self._thread = thread

    def post(
        self,
        content: str,
        *,
        mentions: Sequence[Actor] | None = None,
        metadata: JsonObject | None = None,
        reply_to: str | None = None,
        client_message_id: str | None = None,
    ) -> PostedMessage:
        """Posts a message once, however often it has to be sent.

        With a `client_message_id` of the caller's own it is posted once also when the caller itself starts again.
        """
        message = {"content": content, "mentions": mentions, "metadata": metadata, "reply_to": reply_to}
        return self._post("messages", message, client_message_id)

    def post_as_agent(
        self,
        content: str,
        *,
        base_seq: int | None = None,
        latest_seen_seq: int | None = None,
        on_stale: OnStale | None = None,
        run_id: str | None = None,
        agent_id: str | None = None,
        mentions: Sequence[Actor] | None = None,
        metadata: JsonObject | None = None,
        reply_to: str | None = None,
        client_message_id: str | None = None,
    ) -> PostedMessage:
        """Posts as an agent: the token's own, or the user's `agent_id`.

        `base_seq` is what the agent had read when it planned its answer. With `on_stale="reject"` and newer messages of
        others this raises ParleyError `stale-context`, whose `stale_context` holds the missed messages.
        """
        message = {
            "content": content,
            "base_seq": base_seq,
            "latest_seen_seq": latest_seen_seq,
            "on_stale": on_stale,
            "run_id": run_id,
            "agent_id": agent_id,
            "mentions": mentions,
            "metadata": metadata,
            "reply_to": reply_to,
        }
        return self._post("agent-messages", message, client_message_id)

    def list(
        self,
        *,
        after: int | None = None,
        before: int | None = None,
        limit: int | None = None,
        run_id: str | None = None,
        stage: str | None = None,
    ) -> MessagePage:
        """Messages with their revisions applied, in ascending order: after a seq, before one, or the latest.

        `run_id` and `stage` leave only messages with these values in their metadata. Such a page may be short or empty
        although it `has_more`: go on at its `next_after_seq`, or at its `next_before_seq`.
        """
        return self._read(after_seq=after, before_seq=before, limit=limit, run_id=run_id, stage=stage)

    def all(
        self, *, after: int = 0, page: int = PAGE, run_id: str | None = None, stage: str | None = None
    ) -> Iterator[Message]:
        """All messages after a seq, page by page; with `run_id` or `stage` those of a run or a stage alone."""
        while True:
            answer = self.list(after=after, limit=page, run_id=run_id, stage=stage)
            yield from answer["messages"]
            if not answer["has_more"]:
                return
            after = answer["next_after_seq"]

    def entries(self, *, after: int | None = None, before: int | None = None, limit: int | None = None) -> EntryPage:
        """The log itself, with edits, deletions and reactions as entries of their own."""
        return self._read(after_seq=after, before_seq=before, limit=limit, revisions="raw")

    def edit(self, message_id: str, content: str) -> Message:
        return self._wire.call("PATCH", self._path(message_id), to_json({"content": content})).body

    def delete(self, message_id: str) -> None:
        """Takes a message back. Its place in the log stays."""
        self._wire.remove(self._path(message_id))

    def react(self, message_id: str, emoji: str) -> Message:
        return self._wire.call("PUT", self._path(message_id, "reactions", emoji)).body

    def unreact(self, message_id: str, emoji: str) -> Message:
        return self._wire.call("DELETE", self._path(message_id, "reactions", emoji)).body

    def _path(self, *parts: str) -> str:
        return under(self._thread, "messages", *parts)

    def _read(self, **query: Any) -> Any:
        return self._wire.call("GET", self._path(), query=query).body

    def _post(self, kind: str, message: JsonObject, client_message_id: str | None) -> PostedMessage:
        body = to_json(without_none({**message, "client_message_id": client_message_id or fresh_id()}))
        return self._wire.call("POST", under(self._thread, kind), body).body

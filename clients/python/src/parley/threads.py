"""The caller's threads: create them and list them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from parley.ids import fresh_id
from parley.types.chat import Actor, OnStale, ParticipationMode, ThreadPage, ThreadType, ThreadView
from parley.wire import Wire, to_json, without_none

THREADS = "/api/v1/chat/threads"


class Threads:
    def __init__(self, wire: Wire):
        self._wire = wire

    def create(
        self,
        *,
        title: str | None = None,
        participants: Sequence[Actor] | None = None,
        target_user_ids: Sequence[str] | None = None,
        thread_type: ThreadType | None = None,
        participation_mode: ParticipationMode | None = None,
        initial_message: str | None = None,
        on_stale: OnStale | None = None,
        reuse: bool | None = None,
        idempotency_key: str | None = None,
    ) -> ThreadView:
        """Creates a thread once, however often it has to be sent.

        With an `idempotency_key` of the caller's own it is created once also when the caller itself starts again.
        `reuse` gives the thread that was created with `reuse` for exactly these participants, if there is one.
        """
        wish = {
            "title": title,
            "participants": participants,
            "target_user_ids": target_user_ids,
            "thread_type": thread_type,
            "participation_mode": participation_mode,
            "initial_message": initial_message,
            "on_stale": on_stale,
            "reuse": reuse,
        }
        body = to_json(without_none(wish))
        return self._wire.call("POST", THREADS, body, key=idempotency_key or fresh_id()).body

    def list(
        self,
        *,
        archived: bool | None = None,
        q: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ThreadPage:
        """One page, the latest activity first. `q` is a part of the title; `cursor` the page's `next_cursor` before."""
        query = {"archived": archived, "q": q, "limit": limit, "cursor": cursor}
        return self._wire.call("GET", THREADS, query=query).body

    def all(self, *, archived: bool | None = None, q: str | None = None, page: int = 200) -> Iterator[ThreadView]:
        """All threads, page by page. A thread that becomes active meanwhile moves to the front, out of reach."""
        cursor = None
        while True:
            answer = self.list(archived=archived, q=q, limit=page, cursor=cursor)
            yield from answer["threads"]
            cursor = answer["next_cursor"]
            if cursor is None:
                return

"""The same Db for those who await it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from agno.db.base import AsyncBaseDb

from parley.agno.db import ParleyDb
from parley.agno.elsewhere import delegating

KEPT = [
    name
    for name in vars(ParleyDb)
    if not name.startswith("_") and name != "to_dict" and callable(getattr(AsyncBaseDb, name, None))
]


class AsyncParleyDb(delegating(AsyncBaseDb)):  # type: ignore[misc]
    """Does in threads what ParleyDb does, so that a loop of events goes on meanwhile. Takes what ParleyDb takes.

    Its `fallback` is an AsyncBaseDb.
    """

    def __init__(self, base_url: str, token: str | None = None, *, fallback: AsyncBaseDb | None = None, **about: Any):
        self.db = ParleyDb(base_url, token, **about)
        super().__init__(id=self.db.id)
        self.fallback = fallback

    def to_dict(self) -> dict[str, Any]:
        return self.db.to_dict()

    def ask(self, session_id: str, run: Any) -> None:
        self.db.ask(session_id, run)

    def watch(self, session_id: str, flush: Callable[[], None]) -> Callable[[], None]:
        return self.db.watch(session_id, flush)

    def settle(self, session_id: str) -> None:
        self.db.settle(session_id)


def _in_a_thread(name: str) -> Callable[..., Any]:
    async def ask(self: AsyncParleyDb, *given: Any, **named: Any) -> Any:
        return await asyncio.to_thread(getattr(self.db, name), *given, **named)

    ask.__name__ = name
    return ask


for _name in KEPT:
    setattr(AsyncParleyDb, _name, _in_a_thread(_name))

"""Agno on Parley: a Db for its agents and teams, and a way to let others watch a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from parley.agno.watching import astream_to, stream_to

if TYPE_CHECKING:
    from parley.agno.awaiting import AsyncParleyDb
    from parley.agno.db import ParleyDb

__all__ = ["AsyncParleyDb", "ParleyDb", "astream_to", "stream_to"]


def __getattr__(name: str) -> Any:
    # Agno is loaded when its Db is asked for: the importer works without it.
    if name == "ParleyDb":
        from parley.agno.db import ParleyDb

        return ParleyDb
    if name == "AsyncParleyDb":
        from parley.agno.awaiting import AsyncParleyDb

        return AsyncParleyDb
    raise AttributeError(name)

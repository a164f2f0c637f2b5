"""What Agno asks of a Db and Parley does not keep: memories, knowledge, evaluations, traces and the like."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection
from typing import Any

# Of a Db itself, not of what it keeps.
OWN = {"to_dict", "from_dict", "close"}


def delegating(base: type, kept: Collection[str]) -> dict[str, Callable[..., Any]]:
    """Methods for everything public of the base that is not kept here: asked of `self.fallback`, or refused."""
    methods: dict[str, Callable[..., Any]] = {}
    for name, method in inspect.getmembers(base, inspect.isfunction):
        if not name.startswith("_") and name not in kept and name not in OWN:
            methods[name] = _delegated(name, method)
    return methods


def _delegated(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    refused = getattr(method, "__isabstractmethod__", False)

    def ask(self: Any, *given: Any, **named: Any) -> Any:
        if self.fallback is not None:
            return getattr(self.fallback, name)(*given, **named)
        if refused:
            raise NotImplementedError(
                f"Parley keeps sessions, and {name} is about something else. "
                "Give ParleyDb a fallback, for example ParleyDb(…, fallback=SqliteDb(db_file=…))."
            )
        return method(self, *given, **named)

    ask.__name__ = name
    ask.__doc__ = method.__doc__
    return ask

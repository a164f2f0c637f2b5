"""What Agno asks of a Db and Parley does not keep: memories, knowledge, evaluations, traces and the like."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

# Of a Db itself, not of what it keeps.
OWN = {"to_dict", "from_dict", "close"}


def delegating(base: type) -> Any:
    """A class that asks everything of `self.fallback`, or refuses it. What is kept here overrides it."""
    methods = {
        name: _delegated(name, method)
        for name, method in inspect.getmembers(base, inspect.isfunction)
        if not name.startswith("_") and name not in OWN
    }
    return type(f"Delegating{base.__name__}", (base,), {"fallback": None, **methods})


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

    async def awaited(self: Any, *given: Any, **named: Any) -> Any:
        return await ask(self, *given, **named)

    # Agno asks of some methods whether they are to be awaited.
    delegated = awaited if inspect.iscoroutinefunction(method) else ask
    delegated.__name__ = name
    delegated.__doc__ = method.__doc__
    return delegated

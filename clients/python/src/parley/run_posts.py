"""The posts by which a run's events reach the server: on the agent face and on the sessions face alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from parley.wire import to_json


def envelope(about: Mapping[str, Any], events: Sequence[bytes]) -> bytes:
    """The body `{…about, "events": […]}`. The events are JSON already, so a retry sends the same bytes."""
    return to_json(about)[:-1] + b',"events":[' + b",".join(events) + b"]}"


def is_cancellation(error: BaseException) -> bool:
    """True if the error ends the program or the task (KeyboardInterrupt, GeneratorExit, CancelledError)."""
    return not isinstance(error, Exception)


def public_text(error: BaseException, with_message: bool) -> str:
    """The text of an error for everybody who can read the thread: its type, and its message only on request.

    Messages of exceptions may hold credentials, paths and other people's data.
    """
    return str(error) if with_message and str(error) else type(error).__name__

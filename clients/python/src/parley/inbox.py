"""Hints that something changed in one of the caller's threads."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType

from parley.frames import FrameStream
from parley.sse import UnreadableFrame
from parley.types.chat import InboxHint
from parley.wire import Wire

PATH = "/api/v1/chat/inbox/stream"


class InboxStream:
    """Hints to be iterated over, by one reader at a time.

    Lost connections are replaced, but hints of the meantime are not repeated: list the threads in `on_open`, which is
    called whenever a connection stands. Leaving a `with` block, or `close` in any thread, ends the iteration.
    """

    def __init__(self, wire: Wire, on_open: Callable[[], None] | None = None, patience: float | None = None):
        self._frames = FrameStream(wire, PATH, lambda: None, patience=patience, on_open=on_open)

    def __iter__(self) -> InboxStream:
        return self

    def __next__(self) -> InboxHint:
        while True:
            frame = self._frames.next()
            if frame is None:
                raise StopIteration
            if frame.event != "thread_changed":
                continue
            try:
                hint: InboxHint = frame.json_object()
            except UnreadableFrame as failure:
                self._frames.protocol_violation(f"The inbox sent a hint that cannot be read: {failure}")
                continue
            self._frames.progressed()
            return hint

    def close(self) -> None:
        self._frames.close()

    def __enter__(self) -> InboxStream:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

"""Events of a stream, each once and in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Generic, Protocol, TypeVar

from parley.frames import FrameStream
from parley.sse import Frame, UnreadableFrame
from parley.wire import Wire


class Position(Protocol):
    """A position in a stream. Its text is the event id."""

    def __le__(self, other: Any) -> bool: ...


P = TypeVar("P", bound=Position)
E = TypeVar("E")


def _never(_: Any) -> bool:
    return False


@dataclass(frozen=True)
class Format(Generic[P, E]):
    """How one kind of stream is read.

    `position` gives None unless the text is an event id of such a stream. `follows` tells if an event at one position
    may come directly after one at an earlier position. `event` raises UnreadableFrame for a frame that cannot be read.
    `jumps` marks an event by which the server goes on at another position than it was asked to. `ends` marks the last
    event.
    """

    position: Callable[[str], P | None]
    follows: Callable[[P, P], bool]
    event: Callable[[P, Frame], E]
    jumps: Callable[[E], bool] = _never
    ends: Callable[[E], bool] = _never


class Stream(Generic[P, E]):
    """Events to be iterated over, by one reader at a time: every event after the cursor, once and in order.

    Lost, refused and silent connections are replaced; the new one resumes after the last event handed out. After a gap,
    or an event that cannot be read, the stream is asked for again from the last good position. Leaving a `with` block,
    or `close` in any thread, ends the iteration.
    """

    def __init__(
        self,
        wire: Wire,
        target: str,
        format: Format[P, E],
        after: P | None,
        *,
        query: Mapping[str, Any] | None = None,
        on_frame: Callable[[Frame], None] | None = None,
        on_open: Callable[[], None] | None = None,
        patience: float | None = None,
    ):
        self._format = format
        self._position = after
        self._on_frame = on_frame
        self._jumped = False
        # Events that the server repeated or left out, and frames that cannot be read. 0 for a sound server.
        self.violations = 0
        # The last event was handed out, by this stream or before it.
        self.ended = False
        self._frames = FrameStream(wire, target, lambda: self.cursor, query=query, patience=patience, on_open=on_open)

    @property
    def cursor(self) -> str | None:
        """The id of the last event handed out, where another stream goes on; None lets the server choose."""
        return None if self._position is None else str(self._position)

    def __iter__(self) -> Stream[P, E]:
        return self

    def __next__(self) -> E:
        while not self.ended:
            frame = self._frames.next()
            if frame is None:
                self.ended = self._frames.ended
                break
            event = self._taken(frame)
            if event is not None:
                if self._format.ends(event):
                    self.ended = True
                    self.close()
                return event
        raise StopIteration

    def close(self) -> None:
        self._frames.close()

    def __enter__(self) -> Stream[P, E]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _taken(self, frame: Frame) -> E | None:
        try:
            return self._next_event(frame)
        except UnreadableFrame as failure:
            self._broken(f"The stream sent a frame that cannot be read: {failure}")
            return None

    def _next_event(self, frame: Frame) -> E | None:
        if not frame.has_id:
            if self._on_frame is not None:
                self._on_frame(frame)
            return None
        at = self._format.position(frame.last_event_id)
        if at is None:
            raise UnreadableFrame(f"its event id is {frame.last_event_id}")
        event = self._format.event(at, frame)
        jumps = self._format.jumps(event)
        last = self._position
        landed = self._jumped and at == last
        if last is not None and not jumps and not landed:
            if at <= last:
                self.violations += 1
                return None
            if not self._format.follows(at, last):
                self._broken(f"The stream went from {last} to {at}.")
                return None
        self._jumped = jumps
        self._position = at
        self._frames.progressed()
        return event

    def _broken(self, reason: str) -> None:
        self.violations += 1
        self._frames.protocol_violation(reason)

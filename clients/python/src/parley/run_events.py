"""AG-UI events of runs, and their positions in a thread."""

from __future__ import annotations

import re
from dataclasses import dataclass

from parley.sse import Frame, UnreadableFrame
from parley.stream import Format, Stream
from parley.types.runs import RunEvent

_POSITION = re.compile(r"[0-9]{1,15}", re.ASCII)
# The types of the last event of a run.
TERMINAL = ("RUN_FINISHED", "RUN_ERROR")


@dataclass(frozen=True)
class Resync:
    """The server cannot resume at the cursor. Reload the paths in `reload`.

    The reason is `expired` if the events there are kept no longer, `ahead` if there never were any.
    """

    reason: str
    reload: list[str]


@dataclass(frozen=True)
class PlacedEvent:
    """An AG-UI event and its position, which grows from event to event.

    What was streamed in pieces may come as one event later, at the position of the last piece. `run_id` is the run's
    client name; None for events outside of runs.
    """

    position: int
    event: RunEvent
    run_id: str | None
    resync: Resync | None

    @property
    def is_terminal(self) -> bool:
        """True for the last event of a run."""
        return self.event["type"] in TERMINAL


RunEventStream = Stream[int, PlacedEvent]


def _placed(position: int, frame: Frame) -> PlacedEvent:
    event: RunEvent = frame.json_object()
    if not isinstance(event.get("type"), str):
        raise UnreadableFrame("its event has no type")
    metadata = event.get("metadata")
    run_id = metadata.get("runId") if isinstance(metadata, dict) else None
    # An agent may give an event of its own this name; the server's belongs to no run.
    is_resync = run_id is None and event["type"] == "CUSTOM" and event.get("name") == "resync"
    return PlacedEvent(position, event, run_id, _resync(event.get("value")) if is_resync else None)


def _resync(value: object) -> Resync:
    reason, reload = (value.get("reason"), value.get("reload")) if isinstance(value, dict) else (None, None)
    if not isinstance(reason, str) or not isinstance(reload, list):
        raise UnreadableFrame("its resync has no reason, or no list of addresses to reload")
    return Resync(reason, [str(each) for each in reload])


def _ends_a_run(placed: PlacedEvent) -> bool:
    return placed.is_terminal or (placed.resync is not None and placed.resync.reason == "ahead")


# Positions are not dense: other runs and the thread's messages have some of them.
THREAD_EVENTS: Format[int, PlacedEvent] = Format(
    position=lambda text: int(text) if _POSITION.fullmatch(text) else None,
    follows=lambda position, earlier: position > earlier,
    event=_placed,
    jumps=lambda placed: placed.resync is not None,
)
ONE_RUN = Format(THREAD_EVENTS.position, THREAD_EVENTS.follows, _placed, THREAD_EVENTS.jumps, _ends_a_run)

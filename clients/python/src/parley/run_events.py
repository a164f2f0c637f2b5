"""AG-UI events of runs, and their places in a thread."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from parley.sse import Frame
from parley.stream import Format, Stream
from parley.types.runs import RunEvent

_POSITION = re.compile(r"[0-9]{1,15}", re.ASCII)


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
        """Whether it is the last event of its run."""
        return self.event["type"] in ("RUN_FINISHED", "RUN_ERROR")


RunEventStream = Stream[int, PlacedEvent]


def _placed(position: int, frame: Frame) -> PlacedEvent:
    event: RunEvent = json.loads(frame.data)
    run_id = (event.get("metadata") or {}).get("runId")
    # An agent may give an event of its own this name; the server's belongs to no run.
    is_resync = run_id is None and event["type"] == "CUSTOM" and event.get("name") == "resync"
    value = event.get("value") or {}
    resync = Resync(str(value.get("reason", "")), list(value.get("reload") or [])) if is_resync else None
    return PlacedEvent(position, event, run_id, resync)


def _ends_a_run(placed: PlacedEvent) -> bool:
    return placed.is_terminal or (placed.resync is not None and placed.resync.reason == "ahead")


# Positions are not dense: other runs and the thread's messages have some of them.
THREAD_EVENTS: Format[int, PlacedEvent] = Format(
    place=lambda text: int(text) if _POSITION.fullmatch(text) else None,
    follows=lambda place, earlier: place > earlier,
    event=_placed,
    jumps=lambda placed: placed.resync is not None,
)
ONE_RUN = Format(THREAD_EVENTS.place, THREAD_EVENTS.follows, _placed, THREAD_EVENTS.jumps, _ends_a_run)

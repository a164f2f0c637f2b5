"""Places in a thread's event stream."""

from __future__ import annotations

import re
from typing import NamedTuple

_EVENT_ID = re.compile(r"([0-9]{1,15})(?:-([0-9]{1,15}))?", re.ASCII)


class Cursor(NamedTuple):
    """After entry `seq`, or after the event at `position` between that entry and the next: `12` or `12-457`."""

    seq: int
    position: int = 0

    @classmethod
    def parse(cls, event_id: str) -> Cursor | None:
        """None unless the text is an event id."""
        form = _EVENT_ID.fullmatch(event_id)
        return None if form is None else cls(int(form[1]), int(form[2] or 0))

    def __str__(self) -> str:
        return f"{self.seq}-{self.position}" if self.position else str(self.seq)

    def follows(self, earlier: Cursor) -> bool:
        """Whether an event here may come directly after one at `earlier`: entries are dense, positions only grow."""
        if self.position == 0:
            return self.seq == earlier.seq + 1
        return self.seq == earlier.seq and self.position > earlier.position

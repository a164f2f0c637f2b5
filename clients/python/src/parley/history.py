"""Messages of the caller's threads, day by day."""

from __future__ import annotations

from collections.abc import Iterator

from parley.types.runs import HistoryDay
from parley.wire import Wire

PATH = "/api/v1/agent/history"


class History:
    def __init__(self, wire: Wire):
        self._wire = wire

    def day(
        self,
        thread_id: str | None = None,
        *,
        before: str | None = None,
        tz: str | None = None,
        before_seq: int | None = None,
        limit: int | None = None,
    ) -> HistoryDay:
        """The latest day with messages, or the latest part of a long one.

        Without a `thread_id` the thread with the caller's latest message. `before` is a date such as `2026-11-16`, `tz`
        the time zone of its days such as `Asia/Shanghai` (UTC if None), `before_seq` continues within a day.
        """
        query = {"threadId": thread_id, "before": before, "tz": tz, "beforeSeq": before_seq, "limit": limit}
        return self._wire.call("GET", PATH, query=query).body

    def back(
        self, thread_id: str | None = None, *, tz: str | None = None, limit: int | None = None
    ) -> Iterator[HistoryDay]:
        """All pages back to the thread's beginning; a long day comes in several, its latest part first."""
        page = self.day(thread_id, tz=tz, limit=limit)
        while True:
            yield page
            if not page["hasMore"] or not page["messages"] or page["threadId"] is None:
                return
            page = self.day(page["threadId"], before_seq=page["messages"][0]["seq"], tz=tz, limit=limit)

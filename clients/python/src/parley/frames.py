"""The frames of one streaming address, however often its connection is lost."""

from __future__ import annotations

import http.client
import socket
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from parley.errors import ParleyError, StreamBroken, Unreachable
from parley.sse import Frame, SseReader
from parley.wire import Wire, pause_before, understood

# The server sends a comment every 15 seconds. A stream without a byte for three of them is dead.
SILENCE_LIMIT = 45.0
# How often the server may break its promises at one place before the stream is given up.
MAX_BREACHES = 3
# A connection that has lived for so many seconds shows that the server is well; its loss is the first of a new series.
SETTLED = 10.0
CHUNK = 65_536


class _Connection:
    """One connection of a stream, open until it is lost, silent for too long, or closed."""

    def __init__(self, wire: Wire, url: str, last_event_id: str | None):
        headers = {**wire.headers("text/event-stream"), "Cache-Control": "no-store"}
        if last_event_id is not None:
            headers["Last-Event-ID"] = last_event_id
        self.since = time.monotonic()
        self.reader = SseReader()
        self._reading = threading.Lock()
        self._connection = wire.connect()
        try:
            self._connection.connect()
            self._socket: socket.socket = self._connection.sock
            self._connection.request("GET", url, headers=headers)
            self._response = self._connection.getresponse()
            # 204: the stream has ended for good.
            self.has_ended = self._response.status == 204
            if not self.has_ended:
                self._require_events()
            self._socket.settimeout(SILENCE_LIMIT)
        except BaseException:
            self._connection.close()
            raise

    def read(self) -> list[Frame]:
        """The frames that the next bytes complete."""
        with self._reading:
            chunk = self._response.read1(CHUNK)
        if not chunk:
            raise ConnectionError("the server closed the stream")
        return self.reader.feed(chunk)

    def close(self) -> None:
        # Wakes a thread that reads, which then lets the connection go.
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        with self._reading:
            self._connection.close()

    def _require_events(self) -> None:
        if self._response.status == 200 and self._response.getheader("Content-Type", "").startswith(
            "text/event-stream"
        ):
            return
        answer = understood(self._response, self._response.read())
        raise StreamBroken(f"The address answered {answer.status}, and no event stream.")


class FrameStream:
    """Frames for one reader. Lost, refused and silent connections are replaced, and resume where `resume` says.

    `patience` is how many seconds to keep trying while no connection stands; None is without a limit. `on_open` is
    called whenever a connection stands. `close` may be called by another thread, and ends a waiting `next`.
    """

    def __init__(
        self,
        wire: Wire,
        target: str,
        resume: Callable[[], str | None],
        *,
        query: Mapping[str, Any] | None = None,
        patience: float | None = None,
        on_open: Callable[[], None] | None = None,
    ):
        self._wire = wire
        self._url = wire.url(target, query)
        self._resume = resume
        self._patience = patience
        self._on_open = on_open
        self._connection: _Connection | None = None
        self._pending: list[Frame] = []
        # Whether the server has said that nothing will ever follow.
        self.ended = False
        self._closed = threading.Event()
        self._asked_pause = 0.0
        self._failures = 0
        self._failing_since = 0.0
        self._breaches = 0

    def next(self) -> Frame | None:
        """The next frame; None once the stream has ended or was closed."""
        while not self._closed.is_set():
            if self._pending:
                return self._pending.pop(0)
            try:
                connection = self._connection or self._connect()
                if connection.has_ended:
                    self.ended = True
                    self.close()
                    return None
                self._pending = connection.read()
                self._asked_pause = connection.reader.retry or self._asked_pause
            except ParleyError as failure:
                self._lost(failure)
            except ValueError as failure:
                self.breach(str(failure))
            except (OSError, http.client.HTTPException) as failure:
                self._lost(Unreachable(f"GET {self._url.partition('?')[0]}: {failure!r}"))
        return None

    def progressed(self) -> None:
        """The reader could use a frame: earlier failures no longer count."""
        self._failures = 0
        self._breaches = 0

    def breach(self, reason: str) -> None:
        """The server broke a promise. The rest of this connection is not trusted; a new one resumes."""
        self._breaches += 1
        if self._breaches >= MAX_BREACHES:
            self.close()
            raise StreamBroken(reason)
        self._lost(Unreachable(reason))

    def close(self) -> None:
        self._closed.set()
        self._hang_up()

    def _connect(self) -> _Connection:
        connection = _Connection(self._wire, self._url, self._resume())
        self._connection = connection
        if self._closed.is_set():
            # Closed by another thread while the connection was being made.
            self._hang_up()
            raise ConnectionError("the stream was closed")
        if self._on_open is not None and not connection.has_ended:
            self._on_open()
        return connection

    def _lost(self, failure: ParleyError) -> None:
        lived = time.monotonic() - self._connection.since if self._connection is not None else 0.0
        self._hang_up()
        if self._closed.is_set():
            return
        if not failure.is_passing:
            self.close()
            raise failure
        if self._failures == 0 or lived > SETTLED:
            self._failures = 0
            self._failing_since = time.monotonic()
        self._failures += 1
        pause = pause_before(self._failures, failure.retry_after or self._asked_pause)
        if self._patience is not None and time.monotonic() + pause - self._failing_since > self._patience:
            self.close()
            raise failure
        self._closed.wait(pause)

    def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        self._pending = []
        if connection is not None:
            connection.close()

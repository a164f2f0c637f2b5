"""The frames of one streaming address, however often its connection is lost."""

from __future__ import annotations

import http.client
import logging
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from parley.errors import ParleyError, StreamBroken, Unreachable
from parley.sse import Frame, SseReader
from parley.wire import Wire, parse_response, pause_before, unreachable

# The server sends a comment every 15 seconds. A stream without a byte for three of them is dead.
SILENCE_LIMIT = 45.0
# Protocol violations of the server at one position before the stream is given up.
MAX_VIOLATIONS = 3
# A connection that has lived for so many seconds shows that the server is well; its loss is the first of a new series.
SETTLED = 10.0
# The field `retry:` of a stream is only advice, unlike a Retry-After.
MAX_RECONNECT_DELAY = 60.0
CHUNK = 65_536

_log = logging.getLogger("parley")


class _Connection:
    """One connection of a stream. One thread opens and reads it; any thread may close it meanwhile."""

    def __init__(self) -> None:
        self.since = time.monotonic()
        self.reader = SseReader()
        # 204: the stream has ended for good.
        self.has_ended = False
        self._state = threading.Lock()
        self._closed = False
        self._socket: socket.socket | None = None
        # Held while the connection is opened or read: a socket in use must not be released.
        self._in_use = threading.Lock()
        self._connection: http.client.HTTPConnection | None = None
        self._response: http.client.HTTPResponse | None = None

    def open(self, wire: Wire, url: str, last_event_id: str | None) -> None:
        headers = {**wire.headers("text/event-stream"), "Cache-Control": "no-store"}
        if last_event_id is not None:
            headers["Last-Event-ID"] = last_event_id
        with self._use():
            self._connection = wire.open(self._register)
            self._connection.request("GET", url, headers=headers)
            self._response = self._connection.getresponse()
            self.has_ended = self._response.status == 204
            if not self.has_ended:
                _require_events(self._response)
            assert self._socket is not None
            self._socket.settimeout(SILENCE_LIMIT)
        self.since = time.monotonic()

    def read(self) -> list[Frame]:
        """The frames that the next bytes complete."""
        with self._use():
            assert self._response is not None
            chunk = self._response.read1(CHUNK)
        if not chunk:
            raise ConnectionError("the server closed the stream")
        return self.reader.feed(chunk)

    def close(self) -> None:
        """Wakes a thread that uses the connection, which then releases it; else releases it at once."""
        with self._state:
            self._closed = True
            if self._socket is not None:
                # The plain method also for TLS: that of an SSLSocket changes what the reading thread works with.
                with suppress(OSError):
                    socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
        if self._in_use.acquire(blocking=False):
            try:
                if self._response is not None:
                    self._response.close()
                if self._connection is not None:
                    self._connection.close()
            finally:
                self._in_use.release()

    @contextmanager
    def _use(self) -> Iterator[None]:
        try:
            with self._in_use:
                if self._closed:
                    raise ConnectionError("the stream was closed")
                yield
        finally:
            if self._closed:
                self.close()

    def _register(self, opened: socket.socket) -> None:
        with self._state:
            if self._closed:
                raise ConnectionError("the stream was closed")
            self._socket = opened


class FrameStream:
    """Frames for one reader. Lost, refused and silent connections are replaced, and resume at the id of `resume`.

    `patience` is how many seconds to keep trying while no connection stands; None is without a limit. The stream never
    reconnects before the server's Retry-After is over; if that is longer than the rest of `patience`, the refusal is
    raised at once. `on_open` is called whenever a connection stands; its errors are the caller's. `close` may be called
    by another thread, and ends a waiting `next`. Each lost connection is a warning of the logger `parley`.
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
        # Set by the reading thread only; so are all members below it.
        self._connection: _Connection | None = None
        self._pending: deque[Frame] = deque()
        self._is_new = False
        # The server has answered that nothing will ever follow.
        self.ended = False
        self._reconnect_delay = 0.0
        self._failures = 0
        self._failing_since = 0.0
        self._violations = 0
        # Set by any thread.
        self._closed = threading.Event()

    def next(self) -> Frame | None:
        """The next frame; None once the stream has ended or was closed."""
        while not self._closed.is_set():
            if self._is_new:
                if self._on_open is not None:
                    self._on_open()
                self._is_new = False
            elif self._pending:
                return self._pending.popleft()
            else:
                self._receive()
        return None

    def progressed(self) -> None:
        """The reader could use a frame: earlier failures no longer count."""
        self._failures = 0
        self._violations = 0

    def protocol_violation(self, reason: str) -> None:
        """Gives up the connection after a frame that the protocol forbids; a new one resumes.

        Raises StreamBroken if that has happened repeatedly without progress.
        """
        if self._closed.is_set():
            return
        self._violations += 1
        if self._violations >= MAX_VIOLATIONS:
            self.close()
            raise StreamBroken(reason)
        self._lost(Unreachable(reason))

    def close(self) -> None:
        self._closed.set()
        connection = self._connection
        if connection is not None:
            connection.close()

    def _receive(self) -> None:
        """Opens a connection, or reads from the one that stands."""
        try:
            if self._connection is None:
                self._connect()
            else:
                self._pending.extend(self._connection.read())
                retry = self._connection.reader.retry
                self._reconnect_delay = self._reconnect_delay if retry is None else min(retry, MAX_RECONNECT_DELAY)
        except ParleyError as failure:
            self._lost(failure)
        except (OSError, http.client.HTTPException) as failure:
            # Before ValueError, which a certificate that cannot be verified is too.
            self._lost(unreachable("GET", self._url, failure))
        except ValueError as failure:
            self.protocol_violation(str(failure))

    def _connect(self) -> None:
        connection = _Connection()
        self._connection = connection
        if self._closed.is_set():
            # Closed by a thread that saw no connection yet.
            connection.close()
        try:
            connection.open(self._wire, self._url, self._resume())
        except BaseException:
            self._connection = None
            connection.close()
            raise
        if connection.has_ended:
            self.ended = True
            self.close()
        self._is_new = not connection.has_ended

    def _lost(self, failure: ParleyError) -> None:
        connection, self._connection = self._connection, None
        self._pending.clear()
        self._is_new = False
        lived = time.monotonic() - connection.since if connection is not None else 0.0
        if connection is not None:
            connection.close()
        if self._closed.is_set():
            return
        if not failure.is_passing:
            self.close()
            raise failure
        if self._failures == 0 or lived > SETTLED:
            self._failures = 0
            self._failing_since = time.monotonic()
        self._failures += 1
        left = None if self._patience is None else self._failing_since + self._patience - time.monotonic()
        pause = pause_before(self._failures, failure.retry_after or self._reconnect_delay, left)
        path = self._url.partition("?")[0]
        if left is not None and pause > left:
            self.close()
            raise failure
        _log.warning("Stream %s lost its connection; reconnecting in %.1f s: %s", path, pause, failure.detail)
        self._closed.wait(pause)


def _require_events(response: http.client.HTTPResponse) -> None:
    content_type = response.getheader("Content-Type", "")
    if response.status == 200 and content_type.startswith("text/event-stream"):
        return
    if response.status >= 300:
        parse_response(response, response.read())
    raise StreamBroken(f"The address answered {response.status} {content_type}, and no event stream.")

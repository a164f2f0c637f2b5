"""A server that answers as the test says, for what a sound server never sends."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from types import TracebackType

STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
NOTHING = b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"


class CannedServer:
    """Answers the n-th connection with the n-th answer, and each further one with the last. Keeps the requests."""

    def __init__(self, *answers: bytes):
        self._answers = answers
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.requests: list[bytes] = []
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> CannedServer:
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                with connection:
                    self.requests.append(connection.recv(65_536))
                    connection.sendall(self._answers[min(len(self.requests), len(self._answers)) - 1])

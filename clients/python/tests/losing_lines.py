"""A way to the server on which connections break in the middle of a stream."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from urllib.parse import urlsplit


class LineCutter:
    """Passes bytes on, and drops the n-th connection (from 1) after `allowance(n)` bytes of the server. None: never."""

    def __init__(self, url: str, allowance: Callable[[int], int | None]):
        target = urlsplit(url)
        self._target = (target.hostname or "", target.port or 80)
        self._allowance = allowance
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._sockets: list[socket.socket] = [self._listener]
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.connections = 0
        self.cut = 0

    def __enter__(self) -> LineCutter:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.drop_all()

    def drop_all(self) -> None:
        """Breaks every connection, and takes no further ones."""
        for each in self._sockets:
            _drop(each)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(self._target)
                self._sockets += [client, server]
                self.connections += 1
                allowance = self._allowance(self.connections)
                threading.Thread(target=self._pass_on, args=(client, server, None), daemon=True).start()
                threading.Thread(target=self._pass_on, args=(server, client, allowance), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket, allowance: int | None) -> None:
        passed = 0
        with suppress(OSError):
            while chunk := source.recv(65_536):
                rest = len(chunk) if allowance is None else min(len(chunk), allowance - passed)
                sink.sendall(chunk[:rest])
                passed += rest
                if allowance is not None and passed >= allowance:
                    self.cut += 1
                    break
        _drop(source)
        _drop(sink)


def _drop(each: socket.socket) -> None:
    with suppress(OSError):
        each.shutdown(socket.SHUT_RDWR)
    each.close()

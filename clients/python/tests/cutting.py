"""A way to the server on which answers get lost."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from urllib.parse import urlsplit


class CuttingProxy:
    """Passes requests on and keeps the answers of those that `loses` names: the server has done them, nobody knows."""

    def __init__(self, url: str, loses: Callable[[str, str, int], bool]):
        target = urlsplit(url)
        seen: dict[tuple[str, str], int] = {}
        lock = threading.Lock()
        self.lost: list[str] = []
        lost = self.lost

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                with lock:
                    key = (self.command, self.path)
                    seen[key] = seen.get(key, 0) + 1
                    count = seen[key]
                connection = http.client.HTTPConnection(target.hostname or "", target.port)
                connection.request(self.command, self.path, body, dict(self.headers))
                answer = connection.getresponse()
                content = answer.read()
                connection.close()
                if loses(self.command, self.path, count):
                    lost.append(f"{self.command} {self.path}")
                    self.close_connection = True
                    return
                self.send_response(answer.status)
                for name in ("Content-Type", "Retry-After"):
                    if answer.getheader(name):
                        self.send_header(name, str(answer.getheader(name)))
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> CuttingProxy:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

"""A way to the server on which answers get lost."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Callable
from urllib.parse import urlsplit

from local_http import LocalHttp, QuietHandler


class CuttingProxy(LocalHttp):
    """Passes requests on and keeps the answers of those that `loses` names: the server has done them, nobody knows."""

    def __init__(self, url: str, loses: Callable[[str, str, int], bool]):
        target = urlsplit(url)
        seen: dict[tuple[str, str], int] = {}
        lock = threading.Lock()
        self.lost: list[str] = []
        lost = self.lost

        class Handler(QuietHandler):
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

        super().__init__(Handler)

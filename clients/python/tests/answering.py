"""A server whose answers a function of the test gives, request by request."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from local_http import LocalHttp, QuietHandler


@dataclass(frozen=True)
class Reply:
    """One answer. With status 0 the connection is dropped without one."""

    body: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


class AnsweringServer(LocalHttp):
    """Answers the n-th request (from 1) with `answer(n, body)`, over connections that stay open."""

    def __init__(self, answer: Callable[[int, Any], Reply]):
        lock = threading.Lock()
        self.bodies: list[Any] = []
        bodies = self.bodies

        class Handler(QuietHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"null")
                with lock:
                    bodies.append(body)
                    number = len(bodies)
                reply = answer(number, body)
                if reply.status == 0:
                    self.close_connection = True
                    return
                content = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
                self.send_response(reply.status)
                for name, value in {"Content-Length": str(len(content)), **reply.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

        super().__init__(Handler)

"""JSON over HTTP with connections that are used again, and retries of what may be repeated."""

from __future__ import annotations

import http.client
import json
import random
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from parley.errors import ParleyError, Unreachable

JsonDefault = Callable[[Any], Any]


def to_json(value: Any, default: JsonDefault | None = None) -> bytes:
    """The text that is sent.

    Only ASCII: a lone surrogate, which Python strings may hold and UTF-8 cannot, travels as its escape and comes back
    as it was. NaN and Infinity are not JSON, and the server would refuse them; here the caller sees where it was.
    """
    try:
        return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"), default=default).encode()
    except ValueError as failure:
        if "Out of range float" in str(failure):
            raise ValueError(
                "This cannot be sent: it holds NaN or Infinity, which JSON has no form for. Use null or a text instead."
            ) from failure
        raise


def path(*parts: str) -> str:
    """A path whose parts may hold any character."""
    return "/api/v1/sessions" + "".join("/" + quote(part, safe="") for part in parts)


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: Any


class Wire:
    """One server and one credential. May be used by many threads at once."""

    def __init__(self, base_url: str, token: str, timeout: float = 60.0, attempts: int = 6):
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"The address of a server begins with http:// or https://, and this is {base_url!r}.")
        self._secure = parts.scheme == "https"
        self._host = parts.hostname
        self._port = parts.port
        self._prefix = parts.path.rstrip("/")
        self.base_url = base_url
        self.token = token
        self._timeout = timeout
        self._attempts = attempts
        self._idle: list[http.client.HTTPConnection] = []
        self._lock = threading.Lock()

    def call(
        self,
        method: str,
        target: str,
        body: bytes | None = None,
        query: Mapping[str, Any] | None = None,
        repeatable: bool = True,
    ) -> Answer:
        """Asks, and asks again after network errors, 429 and 5xx, if the request may be repeated."""
        given = {name: value for name, value in (query or {}).items() if value is not None}
        url = self._prefix + target + ("?" + urlencode(given) if given else "")
        attempts = self._attempts if repeatable else 1
        for attempt in range(1, attempts + 1):
            try:
                return self._ask(method, url, body, repeatable)
            except ParleyError as failure:
                passing = failure.status == 0 or failure.status == 429 or failure.status >= 500
                if not passing or attempt == attempts:
                    raise
                time.sleep(pause_before(attempt, failure.retry_after))
        raise AssertionError("the loop returns or raises")

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _ask(self, method: str, url: str, body: bytes | None, repeatable: bool) -> Answer:
        with self._lock:
            connection = self._idle.pop() if self._idle else None
        idle = connection is not None
        connection = connection or self._connect()
        try:
            return self._exchange(connection, method, url, body)
        except (OSError, http.client.HTTPException) as failure:
            connection.close()
            # The server closes connections that were idle for long. That says nothing of the server itself.
            if idle and repeatable and isinstance(failure, ConnectionError):
                return self._ask(method, url, body, repeatable)
            raise Unreachable(f"{method} {url.partition('?')[0]}: {failure!r}") from failure

    def _exchange(self, connection: http.client.HTTPConnection, method: str, url: str, body: bytes | None) -> Answer:
        headers = {"Authorization": f"Bearer {self.token}", "Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        connection.request(method, url, body=body, headers=headers)
        response = connection.getresponse()
        content = response.read()
        if response.will_close:
            connection.close()
        else:
            with self._lock:
                self._idle.append(connection)
        return _understood(response.status, {name.lower(): value for name, value in response.getheaders()}, content)

    def _connect(self) -> http.client.HTTPConnection:
        if self._secure:
            return http.client.HTTPSConnection(
                self._host, self._port, timeout=self._timeout, context=ssl.create_default_context()
            )
        return http.client.HTTPConnection(self._host, self._port, timeout=self._timeout)


def pause_before(attempt: int, told: float | None = None) -> float:
    """How long to wait after this many attempts: longer each time, and not all clients at the same moment."""
    return min(max(told or 0.0, 0.1 * 2 ** (attempt - 1)), 10.0) * random.uniform(0.75, 1.25)


def _understood(status: int, headers: Mapping[str, str], content: bytes) -> Answer:
    try:
        body = json.loads(content) if content else None
    except ValueError:
        body = None
    if status < 400:
        return Answer(status, headers, body)
    members = body if isinstance(body, dict) else {}
    slug = str(members.get("type") or members.get("code") or "no-problem-body").rstrip("/").rpartition("/")[2]
    detail = str(members.get("detail") or members.get("message") or f"The server answered {status}.")
    for error in members.get("errors") or []:
        if isinstance(error, dict):
            detail += f" {error.get('field')}: {error.get('message')}"
    told = headers.get("retry-after", "")
    raise ParleyError(
        status, slug, detail, bool(members.get("retryable")), members, float(told) if told.isdigit() else None
    )

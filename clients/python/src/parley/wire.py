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


def under(prefix: str, *parts: str) -> str:
    """A path whose further parts may hold any character. Parts that would lead to another path are refused."""
    for part in parts:
        if part in ("", ".", ".."):
            raise ValueError(f"{part!r} cannot be an id: a path cannot name it. Use another one.")
    return prefix + "".join("/" + quote(part, safe="") for part in parts)


def path(*parts: str) -> str:
    """A path of the sessions."""
    return under("/api/v1/sessions", *parts)


def without_none(members: Mapping[str, Any]) -> dict[str, Any]:
    """The members that have a value; the others are left to the server's defaults."""
    return {name: value for name, value in members.items() if value is not None}


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: Any


@dataclass(frozen=True)
class _Request:
    """One request. Every attempt sends the same."""

    method: str
    url: str
    body: bytes | None
    headers: Mapping[str, str]
    timeout: float
    repeatable: bool


class Wire:
    """One server and one credential. May be used by many threads at once.

    Without a token (None or an empty text) requests carry no Authorization header: the server of a first start takes
    a caller on the same machine for its local user.
    """

    def __init__(self, base_url: str, token: str | None = None, timeout: float = 60.0, attempts: int = 6):
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"The address of a server begins with http:// or https://, and this is {base_url!r}.")
        self._secure = parts.scheme == "https"
        self._host = parts.hostname
        self._port = parts.port
        self._prefix = parts.path.rstrip("/")
        self.base_url = base_url
        self.token = token
        self.timeout = timeout
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
        *,
        key: str | None = None,
        content_type: str = "application/json",
        extra_wait: float = 0.0,
    ) -> Answer:
        """Asks, and asks again after network errors, 429 and 5xx, if the request may be repeated.

        `key` is the Idempotency-Key of a creation. `extra_wait` is how many seconds longer than usual the answer may
        take.
        """
        headers = self.headers("application/json")
        if body is not None:
            headers["Content-Type"] = content_type
        if key is not None:
            headers["Idempotency-Key"] = key
        request = _Request(method, self.url(target, query), body, headers, self.timeout + extra_wait, repeatable)
        attempts = self._attempts if repeatable else 1
        unknown = False
        for attempt in range(1, attempts + 1):
            try:
                return self._ask(request)
            except ParleyError as failure:
                unknown = unknown or failure.outcome_unknown
                failure.outcome_unknown = unknown
                if not failure.is_passing or attempt == attempts:
                    raise
                time.sleep(pause_before(attempt, failure.retry_after))
        raise AssertionError("the loop returns or raises")

    def remove(self, target: str) -> None:
        """Deletes. If an earlier attempt of this call may have succeeded, "not found" is success."""
        try:
            self.call("DELETE", target)
        except ParleyError as failure:
            if failure.status != 404 or not failure.outcome_unknown:
                raise

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def url(self, target: str, query: Mapping[str, Any] | None = None) -> str:
        """The path and query of a request. Members of the query without a value are left out."""
        given = {
            name: str(value).lower() if isinstance(value, bool) else value
            for name, value in without_none(query or {}).items()
        }
        return self._prefix + target + ("?" + urlencode(given) if given else "")

    def headers(self, accept: str) -> dict[str, str]:
        authorization = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return {**authorization, "Accept": accept}

    def connect(self) -> http.client.HTTPConnection:
        """A connection of its own, which nothing else uses."""
        if self._secure:
            return http.client.HTTPSConnection(
                self._host, self._port, timeout=self.timeout, context=ssl.create_default_context()
            )
        return http.client.HTTPConnection(self._host, self._port, timeout=self.timeout)

    def _ask(self, request: _Request) -> Answer:
        with self._lock:
            connection = self._idle.pop() if self._idle else None
        idle = connection is not None
        connection = connection or self.connect()
        try:
            return self._exchange(connection, request)
        except (OSError, http.client.HTTPException) as failure:
            connection.close()
            # The server closes connections that were idle for long. That says nothing of the server itself.
            if idle and request.repeatable and isinstance(failure, ConnectionError):
                return self._ask_again(request)
            raise Unreachable(f"{request.method} {request.url.partition('?')[0]}: {failure!r}") from failure

    def _ask_again(self, request: _Request) -> Answer:
        try:
            return self._ask(request)
        except ParleyError as failure:
            # The server may have read the request before it closed the connection.
            failure.outcome_unknown = True
            raise

    def _exchange(self, connection: http.client.HTTPConnection, request: _Request) -> Answer:
        connection.timeout = request.timeout
        if connection.sock is not None:
            connection.sock.settimeout(request.timeout)
        connection.request(request.method, request.url, body=request.body, headers=dict(request.headers))
        response = connection.getresponse()
        content = response.read()
        if response.will_close:
            connection.close()
        else:
            with self._lock:
                self._idle.append(connection)
        return understood(response, content)


def pause_before(attempt: int, told: float | None = None) -> float:
    """How long to wait after this many attempts: longer each time, and not all clients at the same moment."""
    return min(max(told or 0.0, 0.1 * 2 ** min(attempt - 1, 10)), 10.0) * random.uniform(0.75, 1.25)


def understood(response: http.client.HTTPResponse, content: bytes) -> Answer:
    """The answer; raises the server's refusal. Redirects are not followed, so that the token stays with its server."""
    status, headers = response.status, {name.lower(): value for name, value in response.getheaders()}
    try:
        body = json.loads(content) if content else None
    except ValueError:
        body = None
    if status < 300:
        return Answer(status, headers, body)
    members = body if isinstance(body, dict) else {}
    slug = str(members.get("type") or members.get("code") or "no-problem-body").rstrip("/").rpartition("/")[2]
    detail = str(members.get("detail") or members.get("message") or f"The server answered {status}.")
    if status < 400:
        detail += f" Redirects are not followed; give the client the server's own address ({headers.get('location')})."
    for error in members.get("errors") or []:
        if isinstance(error, dict):
            detail += f" {error.get('field')}: {error.get('message')}"
    told = headers.get("retry-after", "")
    raise ParleyError(
        status, slug, detail, bool(members.get("retryable")), members, float(told) if told.isdigit() else None
    )

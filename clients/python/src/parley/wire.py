"""JSON over HTTP with connections that are used again, and retries of what may be repeated."""

from __future__ import annotations

import http.client
import json
import random
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from parley.errors import ParleyError, Unreachable

JsonDefault = Callable[[Any], Any]

# The characters of RFC 6750's tokens and of every other credential that can stand in a header.
_TOKEN = re.compile(r"[\x21-\x7e]+")
# The longest Retry-After, in seconds, that a single call obeys. A call whose server asks for more is not retried.
MAX_PAUSE = 60.0
MAX_BACKOFF = 10.0


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
    # Not shown: they hold the token.
    headers: Mapping[str, str] = field(repr=False)
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
        if token and not _TOKEN.fullmatch(token):
            # The token is not quoted: messages of exceptions end up in logs.
            raise ValueError(
                "The token holds a space, a line break or a character outside of ASCII. Give the token alone; of a file"
                " read it with .strip()."
            )
        self._context = ssl.create_default_context() if parts.scheme == "https" else None
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
        timeout: float | None = None,
        attempts: int | None = None,
        give_up: float | None = None,
    ) -> Answer:
        """Sends a request, and sends it again after network errors, 429 and 5xx, if it may be repeated.

        `key` is the Idempotency-Key of a creation. `extra_wait` is how many seconds longer than usual the answer may
        take. `timeout` and `attempts` replace those of the client. With `give_up`, a time of `time.monotonic`, a
        Retry-After of any length is obeyed that ends before it, and no other; without it, one of up to MAX_PAUSE.
        """
        headers = self.headers("application/json")
        if body is not None:
            headers["Content-Type"] = content_type
        if key is not None:
            headers["Idempotency-Key"] = key
        seconds = (self.timeout if timeout is None else timeout) + extra_wait
        request = _Request(method, self.url(target, query), body, headers, seconds, repeatable)
        last = (self._attempts if attempts is None else attempts) if repeatable else 1
        unknown = False
        for attempt in range(1, last + 1):
            try:
                return self._send(request)
            except ParleyError as failure:
                unknown = unknown or failure.outcome_unknown
                failure.outcome_unknown = unknown
                left = None if give_up is None else give_up - time.monotonic()
                longest = MAX_PAUSE if left is None else max(left, 0.0)
                if not failure.is_passing or attempt == last or (failure.retry_after or 0.0) > longest:
                    raise
                time.sleep(pause_before(attempt, failure.retry_after, left))
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
        """A connection of its own, which nothing else uses. It opens with its first request."""
        if self._context is not None:
            return http.client.HTTPSConnection(self._host, self._port, timeout=self.timeout, context=self._context)
        return http.client.HTTPConnection(self._host, self._port, timeout=self.timeout)

    def open(self, register: Callable[[socket.socket], None]) -> http.client.HTTPConnection:
        """An open connection of its own. `register` gets each socket before it connects, so that it can be shut down
        meanwhile."""
        connection = self.connect()
        plain = self._open_socket(connection.host, connection.port, register)
        connection.sock = plain
        try:
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._context is not None:
                secured = self._context.wrap_socket(
                    plain, server_hostname=connection.host, do_handshake_on_connect=False
                )
                connection.sock = secured
                register(secured)
                secured.do_handshake()
        except BaseException:
            connection.close()
            raise
        return connection

    def _open_socket(self, host: str, port: int, register: Callable[[socket.socket], None]) -> socket.socket:
        """`socket.create_connection`, except that it shows its sockets before they connect."""
        failure: OSError = OSError(f"{host} has no address")
        for family, kind, protocol, _, address in socket.getaddrinfo(host, port, 0, socket.SOCK_STREAM):
            opened = socket.socket(family, kind, protocol)
            try:
                register(opened)
                opened.settimeout(self.timeout)
                opened.connect(address)
                return opened
            except OSError as refused:
                opened.close()
                failure = refused
            except BaseException:
                opened.close()
                raise
        raise failure

    def _send(self, request: _Request) -> Answer:
        # The server may have closed an idle connection already. A request that is sent once gets a fresh one.
        with self._lock:
            idle = self._idle.pop() if self._idle and request.repeatable else None
        connection = idle or self.connect()
        try:
            return self._exchange(connection, request)
        except (OSError, http.client.HTTPException) as failure:
            connection.close()
            # The server closes connections that were idle for long. That says nothing of the server itself.
            if idle is not None and isinstance(failure, ConnectionError):
                return self._resend(request)
            raise unreachable(request.method, request.url, failure) from failure

    def _resend(self, request: _Request) -> Answer:
        try:
            return self._send(request)
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
        with self._lock:
            # Requests that are sent once take no idle connection, so they leave one only where there is none.
            keep = not response.will_close and (request.repeatable or not self._idle)
            if keep:
                self._idle.append(connection)
        if not keep:
            connection.close()
        return parse_response(response, content)


def pause_before(attempt: int, retry_after: float | None = None, left: float | None = None) -> float:
    """The seconds to wait before the next attempt: a growing backoff, or `retry_after` if that is longer, plus jitter.

    The pause is never shorter than `retry_after`, however long that is. It is longer than `left`, the rest of the
    caller's patience, only if it would be so without jitter: then the caller gives up. The one limit is the longest
    wait that Python accepts.
    """
    shortest = max(retry_after or 0.0, min(0.1 * 2 ** min(attempt - 1, 10), MAX_BACKOFF))
    pause = shortest * random.uniform(1.0, 1.25)
    if left is not None:
        pause = max(shortest, min(pause, left))
    return min(pause, threading.TIMEOUT_MAX)


def unreachable(method: str, url: str, failure: Exception) -> Unreachable:
    """The error for a request without an answer. The query of the URL is not shown."""
    detail = f"{method} {url.partition('?')[0]}: {failure!r}"
    return Unreachable(detail, is_passing=not isinstance(failure, ssl.SSLCertVerificationError))


def parse_response(response: http.client.HTTPResponse, content: bytes) -> Answer:
    """The answer; raises the server's refusal. Redirects are not followed, so that the token stays with its server."""
    status, headers = response.status, {name.lower(): value for name, value in response.getheaders()}
    try:
        body, is_json = json.loads(content) if content else None, True
    except ValueError:
        body, is_json = None, False
    if status < 300:
        if not is_json:
            raise _not_json(status, headers.get("content-type"))
        return Answer(status, headers, body)
    members = body if isinstance(body, dict) else {}
    slug = str(members.get("type") or members.get("code") or "no-problem-body").rstrip("/").rpartition("/")[2]
    detail = str(members.get("detail") or members.get("message") or f"The server answered {status}.")
    if status < 400:
        detail += f" Redirects are not followed; give the client the server's own address ({headers.get('location')})."
    for error in members.get("errors") or []:
        if isinstance(error, dict):
            detail += f" {error.get('field')}: {error.get('message')}"
    retry_after = headers.get("retry-after", "")
    seconds = float(retry_after) if retry_after.isascii() and retry_after.isdigit() else None
    raise ParleyError(status, slug, detail, bool(members.get("retryable")), members, seconds)


def _not_json(status: int, content_type: str | None) -> ParleyError:
    failure = ParleyError(
        status, "not-json", f"The answer is {content_type or 'of no type'} and no JSON. Is this the address of Parley?"
    )
    # Something between client and server has answered; the request may have gone through.
    failure.outcome_unknown = True
    return failure

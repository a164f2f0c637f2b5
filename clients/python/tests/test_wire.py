"""Requests and answers of single calls: tokens, retries, connections and what is no JSON."""

from __future__ import annotations

import ssl
import threading
import time
from types import SimpleNamespace

import pytest
from answering import AnsweringServer, Reply
from local_http import LocalHttp, QuietHandler

from parley import Parley, ParleyError, Unreachable
from parley.wire import MAX_BACKOFF, Wire, _Request, pause_before, unreachable

SECRET = "ama_eat_5ec2e7"


@pytest.mark.parametrize("token", [f"{SECRET}\n", f" {SECRET}", f"{SECRET}\r\nX: y", f"{SECRET}é", "   "])
def test_token_that_no_header_can_hold_is_refused_without_being_quoted(token: str) -> None:
    with pytest.raises(ValueError, match="The token holds") as refused:
        Parley("http://127.0.0.1:9", token)
    assert SECRET not in str(refused.value)


def test_repr_of_a_request_hides_its_headers() -> None:
    headers = Wire("http://127.0.0.1:9", SECRET).headers("*/*")
    assert SECRET in str(headers)
    assert SECRET not in repr(_Request("GET", "/", None, headers, 1.0, True))


@pytest.mark.parametrize("retry_after", [0.0, 0.5, 7.0, 10.0, 13.0, 59.0, 61.0, 3600.0])
def test_pause_is_never_shorter_than_the_server_asks(retry_after: float) -> None:
    longest = 1.25 * max(retry_after, MAX_BACKOFF)
    for attempt in (1, 3, 9):
        assert all(retry_after <= pause_before(attempt, retry_after) <= longest for _ in range(200))


def test_pause_is_one_that_python_can_wait_whatever_the_server_asks() -> None:
    assert pause_before(1, float("inf")) == threading.TIMEOUT_MAX


@pytest.mark.parametrize(("left", "shortest", "longest"), [(55.0, 50.0, 55.0), (50.0, 50.0, 50.0), (40.0, 50.0, 50.0)])
def test_pause_outlasts_the_patience_only_at_the_servers_wish(left: float, shortest: float, longest: float) -> None:
    assert all(shortest <= pause_before(1, 50.0, left) <= longest for _ in range(200))


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The waits of calls, which pass at once."""
    waited: list[float] = []
    monkeypatch.setattr("parley.wire.time", SimpleNamespace(sleep=waited.append, monotonic=time.monotonic))
    return waited


def test_call_waits_as_long_as_retry_after_says(pauses: list[float]) -> None:
    busy = Reply({}, 429, {"Retry-After": "20"})
    with (
        AnsweringServer(lambda number, _: busy if number == 1 else Reply({"ok": 1})) as server,
        Parley(server.url, "t") as parley,
    ):
        assert parley.wire.call("GET", "/").body == {"ok": 1}
    (pause,) = pauses
    assert 20 <= pause <= 25


@pytest.mark.parametrize("retry_after", ["3600", "9" * 400])
def test_call_raises_if_retry_after_is_longer_than_it_waits(pauses: list[float], retry_after: str) -> None:
    with (
        AnsweringServer(lambda *_: Reply({}, 503, {"Retry-After": retry_after})) as server,
        Parley(server.url, "t") as parley,
        pytest.raises(ParleyError) as refused,
    ):
        parley.wire.call("GET", "/")
    assert refused.value.retry_after == float(retry_after)
    assert (len(server.bodies), pauses) == (1, [])


@pytest.mark.parametrize(("patience", "requests"), [(100.0, 1), (200.0, 2)])
def test_call_with_a_time_to_give_up_obeys_a_retry_after_that_ends_before(
    pauses: list[float], patience: float, requests: int
) -> None:
    with (
        AnsweringServer(lambda *_: Reply({}, 503, {"Retry-After": "150"})) as server,
        Parley(server.url, "t") as parley,
        pytest.raises(ParleyError),
    ):
        parley.wire.call("GET", "/", attempts=2, give_up=time.monotonic() + patience)
    assert len(server.bodies) == requests
    assert all(150 <= pause <= 187.5 for pause in pauses)


def test_retry_after_in_digits_that_are_not_ascii_is_ignored(pauses: list[float]) -> None:
    with (
        AnsweringServer(lambda *_: Reply({}, 429, {"Retry-After": "²"})) as server,
        Parley(server.url, "t", attempts=1) as parley,
        pytest.raises(ParleyError) as refused,
    ):
        parley.wire.call("GET", "/")
    assert (refused.value.status, refused.value.retry_after) == (429, None)


class OneAnswerPerConnection(LocalHttp):
    """Answers the first request of each connection, leaves it open, and drops it at the second one like a stale one."""

    def __init__(self) -> None:
        self.answered: list[str] = []
        self.dropped: list[str] = []
        answered, dropped = self.answered, self.dropped

        class Handler(QuietHandler):
            protocol_version = "HTTP/1.1"
            is_used = False

            def handle_any(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                if self.is_used:
                    dropped.append(self.command)
                    self.close_connection = True
                    return
                self.is_used = True
                answered.append(self.command)
                self.send_response(200)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            do_GET = do_POST = handle_any

        super().__init__(Handler)


def test_call_that_is_sent_once_uses_no_idle_connection() -> None:
    with OneAnswerPerConnection() as server, Parley(server.url, "t") as parley:
        for _ in range(2):
            parley.wire.call("GET", "/")
        # A call that may be repeated uses the idle connection, and is sent again when that turns out to be stale.
        assert (server.answered, server.dropped) == (["GET", "GET"], ["GET"])
        parley.thread("t-1").typing()
        assert (server.answered, server.dropped) == (["GET", "GET", "POST"], ["GET"])


def test_calls_that_are_sent_once_leave_one_idle_connection_open() -> None:
    with AnsweringServer(lambda *_: Reply({})) as server, Parley(server.url, "t") as parley:
        for _ in range(3):
            parley.thread("t-1").typing()
        (idle,) = parley.wire._idle
        plain = idle.sock
        assert plain is not None
        parley.wire.call("GET", "/")
        parley.thread("t-1").typing()
        assert parley.wire._idle == [idle]
        assert idle.sock is plain


@pytest.mark.parametrize("content", [b"<h1>Sign in</h1>", b"{", b"\xff"])
def test_success_that_is_no_json_is_an_error(content: bytes) -> None:
    with (
        AnsweringServer(lambda *_: Reply(content, 200, {"Content-Type": "text/html"})) as server,
        Parley(server.url, "t") as parley,
        pytest.raises(ParleyError, match="text/html") as refused,
    ):
        parley.threads.create(title="x")
    assert (refused.value.status, refused.value.slug, refused.value.outcome_unknown) == (200, "not-json", True)
    assert len(server.bodies) == 1


def test_success_without_a_body_is_none() -> None:
    with AnsweringServer(lambda *_: Reply(b"")) as server, Parley(server.url, "t") as parley:
        assert parley.wire.call("GET", "/").body is None


def test_certificate_that_cannot_be_verified_is_not_tried_again() -> None:
    untrusted = unreachable("GET", "/x?token=y", ssl.SSLCertVerificationError("self-signed certificate"))
    assert isinstance(untrusted, Unreachable)
    assert (untrusted.is_passing, untrusted.retryable, untrusted.outcome_unknown) == (False, False, False)
    assert "token" not in str(untrusted)
    lost = unreachable("GET", "/x", ConnectionResetError())
    assert (lost.is_passing, lost.retryable, lost.outcome_unknown) == (True, True, True)

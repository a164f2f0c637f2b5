"""Streams that are closed, interrupted and refused at awkward moments."""

from __future__ import annotations

import json
import logging
import shutil
import socket
import ssl
import subprocess
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from canned import NOTHING, STREAM, CannedServer

from parley import Parley, ParleyError, StreamBroken, Unreachable
from parley.frames import FrameStream
from parley.wire import Wire


def frame(event_id: str, data: object = None) -> bytes:
    return f"id: {event_id}\ndata: {json.dumps(data or {'event_id': event_id})}\n\n".encode()


def test_error_of_on_open_reaches_the_caller_and_on_open_is_called_again() -> None:
    calls: list[int] = []

    def on_open() -> None:
        calls.append(1)
        if len(calls) == 1:
            raise ConnectionError("the caller's own")

    with CannedServer(STREAM + frame("1")) as server, Parley(server.url, "t") as parley:
        stream = parley.thread("t-1").follow(0, on_open=on_open)
        with pytest.raises(ConnectionError, match="the caller's own"):
            next(stream)
        assert next(stream)["event_id"] == "1"
        assert (len(server.requests), len(calls)) == (1, 2)
        stream.close()


def test_lost_connection_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with (
        CannedServer(STREAM + frame("1"), NOTHING) as server,
        Parley(server.url, "t") as parley,
        caplog.at_level(logging.WARNING, "parley"),
    ):
        assert len(list(parley.thread("t-1").follow(0))) == 1
    (record,) = caplog.records
    assert (record.name, record.levelname) == ("parley", "WARNING")
    assert record.getMessage().startswith("Stream /api/v1/chat/threads/t-1/events/stream lost its connection; recon")


def test_host_without_an_address_is_logged_until_patience_ends(caplog: pytest.LogCaptureFixture) -> None:
    with (
        Parley("http://parley.invalid", "t") as parley,
        caplog.at_level(logging.WARNING, "parley"),
        pytest.raises(Unreachable, match="gaierror"),
    ):
        next(parley.thread("t-1").follow(0, patience=0.3))
    assert caplog.records


class InstantEvent(threading.Event):
    """Records how long it is waited for, and does not wait."""

    def __init__(self) -> None:
        super().__init__()
        self.pauses: list[float] = []

    def wait(self, timeout: float | None = None) -> bool:
        self.pauses.append(timeout or 0.0)
        return self.is_set()


def busy(retry_after: str) -> bytes:
    head = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n"
    return f"{head}Retry-After: {retry_after}\r\n\r\n".encode()


@pytest.mark.parametrize("patience", [None, 200.0])
def test_stream_does_not_reconnect_before_retry_after_is_over(patience: float | None) -> None:
    with CannedServer(busy("150"), STREAM + frame("1")) as server:
        stream = FrameStream(Wire(server.url, "t"), "/x", lambda: None, patience=patience)
        stream._closed = closed = InstantEvent()
        assert stream.next() is not None
        stream.close()
    (pause,) = closed.pauses
    assert 150 <= pause <= 187.5


def test_stream_waits_as_long_as_python_can_if_retry_after_is_longer() -> None:
    with CannedServer(busy("9" * 400), STREAM + frame("1")) as server:
        stream = FrameStream(Wire(server.url, "t"), "/x", lambda: None)
        stream._closed = closed = InstantEvent()
        assert stream.next() is not None
        stream.close()
    assert closed.pauses == [threading.TIMEOUT_MAX]


def test_stream_is_refused_at_once_if_retry_after_is_longer_than_its_patience() -> None:
    with CannedServer(busy("150"), STREAM + frame("1")) as server:
        stream = FrameStream(Wire(server.url, "t"), "/x", lambda: None, patience=100.0)
        stream._closed = closed = InstantEvent()
        with pytest.raises(ParleyError) as refused:
            stream.next()
    assert (refused.value.status, refused.value.retry_after) == (503, 150.0)
    assert (len(server.requests), closed.pauses) == (1, [])


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate of 127.0.0.1 that nothing but itself vouches for, with its key in the same file."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl makes the certificate, and is not on the PATH")
    key, file = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=parley"
    made = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(file)]
    subprocess.run([*command.split(), *made], check=True, capture_output=True)
    file.write_text(key.read_text() + file.read_text())
    return file


@contextmanager
def tls_server(certificate: Path) -> Iterator[tuple[str, list[int]]]:
    """A server of one event; the list counts its connections."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    connections: list[int] = []

    def serve() -> None:
        with suppress(OSError):
            while True:
                plain, _ = listener.accept()
                connections.append(1)
                with suppress(OSError), context.wrap_socket(plain, server_side=True) as secured:
                    secured.recv(65_536)
                    secured.sendall(STREAM + frame("1"))

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, daemon=True).start()
        yield f"https://127.0.0.1:{listener.getsockname()[1]}", connections
        listener.shutdown(socket.SHUT_RDWR)


def test_certificate_that_cannot_be_verified_ends_stream_and_call_at_once(certificate: Path) -> None:
    with tls_server(certificate) as (url, connections), Parley(url, "t") as parley:
        with pytest.raises(Unreachable, match="CERTIFICATE_VERIFY_FAILED"):
            next(parley.thread("t-1").follow(0))
        assert len(connections) == 1
        with pytest.raises(Unreachable, match="CERTIFICATE_VERIFY_FAILED"):
            parley.who_am_i()
        assert len(connections) == 2


def test_stream_over_tls_is_read(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with tls_server(certificate) as (url, _), Parley(url, "t") as parley, parley.thread("t-1").follow(0) as stream:
        assert next(stream)["event_id"] == "1"


@contextmanager
def silent_server(full: bool) -> Iterator[str]:
    """Takes connections and never answers; if `full`, not even that: further ones wait for their handshake."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as listener, suppress(BlockingIOError):
        waiting = []
        for _ in range(4 if full else 0):
            waiting.append(socket.socket())
            waiting[-1].setblocking(False)
            with suppress(BlockingIOError):
                waiting[-1].connect(listener.getsockname())
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        for each in waiting:
            each.close()


@pytest.mark.parametrize("full", [False, True], ids=["no answer", "no connection"])
def test_close_interrupts_a_stream_that_connects(full: bool) -> None:
    ended = threading.Event()
    with silent_server(full) as url, Parley(url, "t") as parley:
        stream = parley.thread("t-1").follow(0)

        def read() -> None:
            assert list(stream) == []
            ended.set()

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        assert not ended.wait(0.3)
        stream.close()
        assert ended.wait(10)


def test_close_between_the_look_at_a_pending_frame_and_its_taking_is_no_error() -> None:
    with CannedServer(STREAM + frame("1") + frame("2")) as server:
        stream = FrameStream(Wire(server.url, "t"), "/x", lambda: None)
        assert stream.next() is not None

        class ClosedWhenLookedAt(deque):  # type: ignore[type-arg]
            def __bool__(self) -> bool:
                closing = threading.Thread(target=stream.close)
                closing.start()
                closing.join(10)
                return True

        stream._pending = ClosedWhenLookedAt(stream._pending)
        assert stream.next() is not None
        assert stream.next() is None


def test_close_at_any_moment_ends_the_iteration() -> None:
    body = STREAM + b"".join(frame(str(number)) for number in range(1, 500))
    for _ in range(20):
        failures: list[BaseException] = []
        with CannedServer(body) as server:
            stream = FrameStream(Wire(server.url, "t"), "/x", lambda: None)
            begun = threading.Event()

            def read(stream: FrameStream = stream, begun: threading.Event = begun, failures: list = failures) -> None:
                try:
                    while stream.next() is not None:
                        begun.set()
                except BaseException as failure:
                    failures.append(failure)

            reader = threading.Thread(target=read, daemon=True)
            reader.start()
            assert begun.wait(10)
            stream.close()
            reader.join(10)
        assert not reader.is_alive()
        assert failures == []


def test_frame_that_is_pending_when_the_stream_is_closed_is_dropped() -> None:
    with CannedServer(STREAM + frame("1") + frame("2")) as server:
        stream = FrameStream(Wire(server.url, "t"), "/x", lambda: None)
        assert stream.next() is not None
        assert stream._pending
        stream.close()
        assert stream.next() is None


def test_loss_of_a_connection_that_another_thread_closed_is_no_error() -> None:
    with CannedServer(STREAM + frame("1")) as server:
        stream = FrameStream(Wire(server.url, "t"), "/x", lambda: None, patience=0.0)
        assert stream.next() is not None
        stream.close()
        stream._lost(Unreachable("lost"))
        stream._lost(ParleyError(404, "gone", "gone"))


def test_protocol_violation_after_close_is_no_error() -> None:
    stream = FrameStream(Wire("http://127.0.0.1:9", "t"), "/x", lambda: None)
    stream.close()
    for _ in range(5):
        stream.protocol_violation("too late")


BROKEN_EVENTS = [
    b"id: 1\ndata: []\n\n",
    b"id: 1\ndata: {}\n\n",
    b'id: 1\ndata: {"type": 1}\n\n',
    b"id: 1\ndata: {\n\n",
    b"id: 1\ndata: " + b"[" * 100_000 + b"\n\n",
    b'id: 1\ndata: {"type": "CUSTOM", "name": "resync", "value": 1}\n\n',
]


@pytest.mark.parametrize("broken", BROKEN_EVENTS, ids=lambda each: each[:60].decode())
def test_run_event_that_cannot_be_read_breaks_the_stream(broken: bytes) -> None:
    with (
        CannedServer(STREAM + b"retry: 0\n\n" + broken) as server,
        Parley(server.url, "t") as parley,
        pytest.raises(StreamBroken, match="cannot be read"),
    ):
        next(parley.runs.follow("t-1", "r-1"))
    assert len(server.requests) == 3


@pytest.mark.parametrize("data", [b"{", b"[]", b"7"])
def test_typing_that_cannot_be_read_breaks_the_stream(data: bytes) -> None:
    typing = STREAM + b"event: typing\ndata: " + data + b"\n\n"
    with (
        CannedServer(typing) as server,
        Parley(server.url, "t") as parley,
        pytest.raises(StreamBroken, match="cannot be read"),
    ):
        next(parley.thread("t-1").follow(0, on_typing=lambda _: None))


def test_error_of_on_typing_reaches_the_caller() -> None:
    def on_typing(_: object) -> None:
        raise ValueError("the caller's own")

    typing = STREAM + b'event: typing\ndata: {"sender_id": "user:a"}\n\n'
    with (
        CannedServer(typing) as server,
        Parley(server.url, "t") as parley,
        pytest.raises(ValueError, match="the caller's own"),
    ):
        next(parley.thread("t-1").follow(0, on_typing=on_typing))
    assert len(server.requests) == 1

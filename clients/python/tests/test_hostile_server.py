"""Answers that a sound server never gives, and streams that are over."""

from __future__ import annotations

import json

import pytest
from canned import NOTHING, STREAM, CannedServer

from parley import Parley, ParleyError, StreamBroken


def frame(event_id: str, content: str = "x") -> bytes:
    return f"id: {event_id}\ndata: {json.dumps({'event_id': event_id, 'content': content})}\n\n".encode()


def run_frame(position: int, kind: str = "STEP_STARTED", **members: object) -> bytes:
    return f"id: {position}\ndata: {json.dumps({'type': kind, **members})}\n\n".encode()


def test_stream_of_a_run_that_is_over_ends_for_good() -> None:
    with CannedServer(NOTHING) as server, Parley(server.url, "t") as parley:
        stream = parley.runs.follow("t-1", "r-1", after=9)
        assert list(stream) == []
        assert (stream.ended, stream.cursor) == (True, "9")
        assert list(stream) == []
    (request,) = server.requests
    assert b"\r\nLast-Event-ID: 9\r\n" in request


def test_repeated_events_are_dropped_and_a_gap_is_asked_for_again() -> None:
    answers = [
        STREAM + frame("1") + frame("2") + frame("1") + frame("2") + frame("4"),
        STREAM + b"retry: 0\n\n" + frame("3") + frame("3-7") + frame("4", "世界"),
        NOTHING,
    ]
    with CannedServer(*answers) as server, Parley(server.url, "t") as parley:
        stream = parley.thread("t-1").follow(0)
        assert [each["event_id"] for each in stream] == ["1", "2", "3", "3-7", "4"]
    assert stream.violations == 3
    assert b"\r\nLast-Event-ID: 2\r\n" in server.requests[1]
    assert b"\r\nLast-Event-ID: 4\r\n" in server.requests[2]


@pytest.mark.parametrize(
    "broken", [frame("5"), b"id: x\ndata: {}\n\n", b"id: 1\ndata: {\n\n", b"data: " + b"x" * 17_000_000]
)
def test_stream_that_stays_broken_at_one_position_is_given_up(broken: bytes) -> None:
    with CannedServer(STREAM + broken) as server, Parley(server.url, "t") as parley:
        stream = parley.thread("t-1").follow(0)
        with pytest.raises(StreamBroken):
            next(stream)
        assert list(stream) == []
    assert len(server.requests) == 3


def test_answer_that_is_no_stream_is_not_asked_for_again() -> None:
    page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<p/>"
    with CannedServer(page) as server, Parley(server.url, "t") as parley, pytest.raises(StreamBroken, match="no event"):
        next(parley.inbox())
    assert len(server.requests) == 1


def test_resync_moves_the_cursor_and_an_agents_own_event_of_that_name_does_not() -> None:
    resync = {"name": "resync", "value": {"reason": "expired", "reload": ["/a"]}}
    events = STREAM + b"".join(
        [
            run_frame(90, "CUSTOM", **resync),
            run_frame(90),
            run_frame(95, "CUSTOM", metadata={"runId": "r"}, **resync),
            run_frame(90),
            run_frame(96, "RUN_FINISHED", metadata={"runId": "r"}),
        ]
    )
    with CannedServer(events) as server, Parley(server.url, "t") as parley:
        seen = list(parley.runs.follow("t-1", "r", after=500))
    assert [each.position for each in seen] == [90, 90, 95, 96]
    assert [each.resync is not None for each in seen] == [True, False, False, False]
    assert seen[0].resync is not None
    assert (seen[0].resync.reason, seen[0].resync.reload) == ("expired", ["/a"])


def test_run_that_never_was_at_the_cursor_ends_its_stream() -> None:
    ahead = run_frame(3, "CUSTOM", name="resync", value={"reason": "ahead", "reload": []})
    with CannedServer(STREAM + ahead) as server, Parley(server.url, "t") as parley:
        assert [each.position for each in parley.runs.follow("t-1", "r", after=500)] == [3]


def test_redirect_is_told_and_not_followed() -> None:
    elsewhere = b"HTTP/1.1 308 Permanent Redirect\r\nLocation: https://elsewhere.example/\r\nContent-Length: 0\r\n\r\n"
    with CannedServer(elsewhere) as server, Parley(server.url, "secret") as parley:
        with pytest.raises(ParleyError, match=r"not followed.*elsewhere\.example") as refused:
            parley.who_am_i()
        assert refused.value.status == 308
    assert len(server.requests) == 1


def test_answer_of_a_gateway_is_asked_for_again_as_far_as_attempts_go() -> None:
    page = b"HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: 5\r\nConnection: close\r\n\r\n<h1/>"
    with CannedServer(page) as server, Parley(server.url, "t", attempts=3) as parley:
        with pytest.raises(ParleyError) as failed:
            parley.threads.create(title="名")
        assert (failed.value.status, failed.value.outcome_unknown) == (502, True)
    keys = {line for each in server.requests for line in each.split(b"\r\n") if line.startswith(b"Idempotency-Key: ")}
    assert (len(server.requests), len(keys)) == (3, 1)

"""Events of a driven run that did not reach the server, or of which no answer came."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from answering import AnsweringServer, Reply

from parley import DrivenRun, Parley, ParleyError

LOST = Reply(status=0)
INVALID = Reply({"type": "invalid", "detail": "no such event"}, 400)
BUSY = Reply({"type": "busy"}, 429)
FINISHED = {"type": "RUN_FINISHED", "threadId": "t-1", "runId": "r-1"}


def step(name: str) -> dict[str, Any]:
    return {"type": "STEP_STARTED", "stepName": name}


class Log:
    """The server's side of one run: takes numbered events once, and answers as `replies` says if it says something."""

    def __init__(self, replies: Callable[[list[Any]], Reply | None] = lambda _: None):
        self.events: list[Any] = []
        self.replies = replies

    def answer(self, _: int, body: Any) -> Reply:
        reply = self.replies(body["events"])
        if reply is None or reply is LOST:
            self.events[body["first"] :] = body["events"] or self.events[body["first"] :]
        ends = any(event["type"] in ("RUN_FINISHED", "RUN_ERROR") for event in self.events)
        return reply or Reply({"epoch": 1, "next": len(self.events), "stop": ends})

    @property
    def names(self) -> list[str]:
        return [event.get("stepName") or event["type"] for event in self.events]


@contextmanager
def driven(log: Log) -> Iterator[DrivenRun]:
    with AnsweringServer(log.answer) as server, Parley(server.url, "t", attempts=1) as parley:
        yield parley.runs.drive("t-1", "r-1")


@contextmanager
def replying(log: Log, reply: Reply) -> Iterator[None]:
    """Gives this answer to posts with events meanwhile."""
    log.replies = lambda events: reply if events else None
    yield
    log.replies = lambda _: None


def test_events_of_every_post_without_an_answer_are_kept_in_order() -> None:
    log = Log()
    with driven(log) as run:
        with replying(log, LOST):
            for name in ("a", "b"):
                with pytest.raises(ParleyError) as lost:
                    run.post(step(name))
                assert lost.value.outcome_unknown
        run.post(step("c"))
    assert log.names == ["a", "b", "c"]


def test_refused_post_is_dropped_alone() -> None:
    log = Log()
    with driven(log) as run:
        run.post(step("a"))
        with replying(log, INVALID), pytest.raises(ParleyError) as refused:
            run.post(step("wrong"))
        assert not refused.value.outcome_unknown
        run.post(step("b"))
    assert log.names == ["a", "b"]


def test_kept_events_outlast_too_many_requests() -> None:
    log = Log()
    with driven(log) as run:
        with replying(log, LOST), pytest.raises(ParleyError):
            run.post(step("a"))
        with replying(log, BUSY), pytest.raises(ParleyError) as busy:
            run.post(step("b"))
        # The caller is told to post "b" again; nobody would post "a" again.
        assert not busy.value.outcome_unknown
        run.post(step("b"))
    assert log.names == ["a", "b"]


def fast_heartbeats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parley.driven_run.HEARTBEAT_INTERVAL", 0.02)


def drop_kept_events_by_a_heartbeat(log: Log, run: DrivenRun) -> None:
    with pytest.raises(ParleyError):
        run.post(step("lost"))
    refused = threading.Event()

    def refuse(events: list[Any]) -> Reply | None:
        if not events:
            # The heartbeat after the refused one.
            if refused.is_set():
                tried.set()
            return None
        refused.set()
        return INVALID

    tried = threading.Event()
    log.replies = refuse
    assert tried.wait(30)
    log.replies = lambda _: None


def test_refusal_that_a_heartbeat_met_is_raised_by_the_next_post(monkeypatch: pytest.MonkeyPatch) -> None:
    log = Log(lambda events: LOST if events else None)
    with driven(log) as run:
        fast_heartbeats(monkeypatch)
        with pytest.raises(ParleyError) as refused, run:
            drop_kept_events_by_a_heartbeat(log, run)
            run.post(step("next"))
    assert (refused.value.status, refused.value.slug) == (400, "invalid")
    assert log.names[-1] == "RUN_ERROR"


def test_refusal_that_a_heartbeat_met_is_raised_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    log = Log(lambda events: LOST if events else None)
    with driven(log) as run:
        fast_heartbeats(monkeypatch)
        with pytest.raises(ParleyError) as refused, run:
            drop_kept_events_by_a_heartbeat(log, run)
    assert (refused.value.status, refused.value.slug) == (400, "invalid")
    assert log.names[-1] == "RUN_ERROR"


def test_finished_run_that_is_settled_later_is_not_stopped() -> None:
    log = Log()
    with driven(log) as run, run:
        with replying(log, LOST), pytest.raises(ParleyError):
            run.post(step("a"), FINISHED)
        assert not run.ended
        assert run.heartbeat()["stop"]
        assert (run.ended, run.stopped) == (True, False)
    assert log.names == ["a", "RUN_FINISHED"]


def test_heartbeat_waits_longer_for_its_answer_than_its_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop_slowly(_: list[Any]) -> Reply:
        time.sleep(0.2)
        return Reply({"epoch": 1, "next": 0, "stop": True})

    log = Log()
    fast_heartbeats(monkeypatch)
    with driven(log) as run, run:
        log.replies = stop_slowly
        assert run._heartbeats is not None
        # The heartbeats end with the first answer, which stops the run.
        run._heartbeats.join(30)
        assert run.stopped


def test_leaving_the_block_waits_for_one_batch_of_a_heartbeat_and_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    log = Log()
    settling = threading.Event()
    # Whether the heartbeat was still at work when a request came.
    by_heartbeat: list[bool] = []
    with driven(log) as run:

        def answer_once_left(events: list[Any]) -> Reply | None:
            if events:
                settling.set()
                assert run._left.wait(30)
                by_heartbeat.append(run._heartbeats is not None and run._heartbeats.is_alive())
            return None

        with replying(log, LOST):
            for name in ("a", "b", "c"):
                with pytest.raises(ParleyError):
                    run.post(step(name))
        log.replies = answer_once_left
        fast_heartbeats(monkeypatch)
        with run:
            assert settling.wait(30)
    assert by_heartbeat == [True, False, False, False]
    assert log.names == ["a", "b", "c", "RUN_FINISHED"]


def test_leaving_the_block_waits_for_a_heartbeat_only_so_long(monkeypatch: pytest.MonkeyPatch) -> None:
    released, beating = threading.Event(), threading.Event()

    def hang(events: list[Any]) -> Reply | None:
        if begun.is_set() and not events:
            beating.set()
            released.wait(60)
        return None

    begun = threading.Event()
    log = Log(hang)
    fast_heartbeats(monkeypatch)
    monkeypatch.setattr("parley.driven_run.HEARTBEAT_TIMEOUT", 0.2)
    with driven(log) as run:
        since = time.monotonic()
        with run:
            begun.set()
            assert beating.wait(30)
        assert time.monotonic() - since < 30
        released.set()
    assert log.names == ["RUN_FINISHED"]

"""Runs that an external agent drives from its own process."""

from __future__ import annotations

import asyncio
import threading
import uuid
from collections.abc import Iterator

import pytest
from cutting import CuttingProxy
from texts import UNICODE

from parley import Parley, ParleyError, Stopped
from parley.types.runs import RunEvent


@pytest.fixture
def agent(url: str, agent_token: str) -> Iterator[Parley]:
    with Parley(url, agent_token) as client:
        yield client


def spoken(*words: str) -> list[RunEvent]:
    message_id = str(uuid.uuid4())
    return [
        {"type": "TEXT_MESSAGE_START", "messageId": message_id, "role": "assistant"},
        *({"type": "TEXT_MESSAGE_CONTENT", "messageId": message_id, "delta": word} for word in words),
        {"type": "TEXT_MESSAGE_END", "messageId": message_id},
    ]


def contents(parley: Parley, thread_id: str) -> list[str]:
    return [each["content"] for each in parley.thread(thread_id).messages.all()]


def test_driven_run_is_followed_and_leaves_its_message(parley: Parley, agent: Parley, thread_id: str) -> None:
    with agent.runs.drive(thread_id, "build-7") as run:
        run.post(*spoken("It is ", UNICODE))
    assert (run.ended, run.stopped) == (True, False)
    types = [each.event["type"] for each in parley.runs.follow(thread_id, "build-7")]
    assert (types[0], types[-1]) == ("RUN_STARTED", "RUN_FINISHED")
    assert contents(parley, thread_id) == [f"It is {UNICODE}"]
    assert parley.runs.get(thread_id, "build-7")["state"] == "completed"


def test_run_that_a_client_asked_of_the_agent_is_driven(parley: Parley, agent: Parley, thread_id: str) -> None:
    me = agent.who_am_i()["sender_id"].removeprefix("agent:")
    parley.runs.say(thread_id, "Is it green?", run_id="asked-1", agent_id=me)
    with agent.runs.drive(thread_id, "asked-1") as run:
        run.post(*spoken("Yes 是"))
    assert contents(parley, thread_id) == ["Is it green?", "Yes 是"]


def test_lost_answers_lose_and_double_no_event(url: str, parley: Parley, agent_token: str, thread_id: str) -> None:
    with CuttingProxy(url, lambda method, path, count: count % 2 == 1) as proxy:
        with Parley(proxy.url, agent_token) as client, client.runs.drive(thread_id, "lossy") as run:
            start, *words, end = spoken(*(f"{number} " for number in range(10)))
            run.post(start)
            for word in words:
                run.post(word)
            run.post(end)
        assert len(proxy.lost) >= 10
    assert contents(parley, thread_id) == ["".join(f"{number} " for number in range(10))]


def test_events_without_an_answer_go_ahead_of_the_next_post(
    url: str, parley: Parley, agent_token: str, thread_id: str
) -> None:
    losing = threading.Event()
    proxy = CuttingProxy(url, lambda method, path, count: losing.is_set())
    with proxy, Parley(proxy.url, agent_token, attempts=1) as client:
        run = client.runs.drive(thread_id, "kept")
        losing.set()
        start, *rest = spoken("kept ", "all")
        with pytest.raises(ParleyError) as lost:
            run.post(start)
        assert lost.value.outcome_unknown
        losing.clear()
        run.post(*rest, {"type": "RUN_FINISHED", "threadId": thread_id, "runId": "kept"})
    assert contents(parley, thread_id) == ["kept all"]


def test_another_process_goes_on_from_the_standing(parley: Parley, agent: Parley, thread_id: str) -> None:
    start, *rest = spoken("half ", "whole")
    standing = agent.runs.drive(thread_id, "moved").post(start)
    with agent.runs.drive(thread_id, "moved", standing) as run:
        run.post(*rest)
    assert contents(parley, thread_id) == ["half whole"]


@pytest.mark.parametrize(("published", "message"), [(False, "RuntimeError"), (True, "the password is 坏")])
def test_failure_of_the_agent_fails_its_run_and_its_message_is_published_on_request(
    parley: Parley, agent: Parley, thread_id: str, published: bool, message: str
) -> None:
    drive = agent.runs.drive(thread_id, "failing", publish_error_message=published)
    with pytest.raises(RuntimeError, match="password"), drive as run:
        run.post(*spoken("half"))
        raise RuntimeError("the password is 坏")
    view = parley.runs.get(thread_id, "failing")
    assert view["state"] == "failed"
    assert view["error"] is not None
    assert view["error"]["message"] == message


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, GeneratorExit, asyncio.CancelledError])
def test_interrupted_agent_cancels_its_run(
    parley: Parley, agent: Parley, thread_id: str, interruption: type[BaseException]
) -> None:
    with pytest.raises(interruption), agent.runs.drive(thread_id, "interrupted") as run:
        run.post(*spoken("half"))
        raise interruption
    assert run.ended
    assert parley.runs.get(thread_id, "interrupted")["state"] == "cancelled"
    assert contents(parley, thread_id) == ["half"]


def test_cancelled_run_stops_its_driver(parley: Parley, agent: Parley, thread_id: str) -> None:
    with pytest.raises(Stopped), agent.runs.drive(thread_id, "stopped") as run:
        start, word, _ = spoken("said")
        run.post(start, word)
        assert parley.runs.cancel(thread_id, "stopped")["status"] == "accepted"
        assert run.heartbeat()["stop"] is True
        assert run.stopped
        run.post(word)
    assert parley.runs.get(thread_id, "stopped")["state"] == "cancelled"
    assert contents(parley, thread_id) == ["said"]


def test_silent_driver_shows_that_it_is_at_work(
    url: str, agent_token: str, thread_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parley.driven_run.HEARTBEAT_INTERVAL", 0.05)
    beats = threading.Semaphore(0)
    proxy = CuttingProxy(url, lambda method, path, count: beats.release() or False)
    with proxy, Parley(proxy.url, agent_token) as client, client.runs.drive(thread_id, "silent"):
        for _ in range(4):
            assert beats.acquire(timeout=30)


def test_run_of_another_agent_is_refused(parley: Parley, agent: Parley, url: str, thread_id: str) -> None:
    agent.runs.drive(thread_id, "mine")
    other = parley.owner.create_agent("Other", "external")
    parley.thread(thread_id).add_participants([other["sender_id"]])
    token = parley.owner.create_token(other["agent_id"], scopes=["observe", "speak", "run"])["raw_token"]
    with Parley(url, token) as stranger, pytest.raises(ParleyError) as refused:
        stranger.runs.drive(thread_id, "mine")
    assert (refused.value.status, refused.value.slug) == (409, "run-taken-over")

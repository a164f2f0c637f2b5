"""Runs that others watch."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from agno.agent import Agent
from agno.db.base import SessionType
from agno.models.message import Message
from agno.models.response import ModelResponse
from agno.team import Team
from agno.tools import tool
from agno_versions import REPORTS_REQUESTS
from answering import AnsweringServer, Reply
from cutting import CuttingProxy
from scripted import ScriptedModel, calls, says

from parley import Parley, ParleyError, Stopped
from parley.agno import ParleyDb, astream_to, stream_to
from parley.runs import RunStream
from parley.sessions import Sessions
from parley.wire import Wire


def events_of(run_id: str, words: int = 5) -> list[dict[str, Any]]:
    about = {"run_id": run_id, "agent_id": "a", "agent_name": "Ada", "created_at": 1_765_280_936}
    return [
        {"event": "RunStarted", **about},
        *({"event": "RunContent", "content": f"{number} ", **about} for number in range(words)),
        {"event": "RunCompleted", "content": "".join(f"{number} " for number in range(words)), **about},
    ]


class Counting(Wire):
    """Counts the posts of events that the server has taken."""

    taken = 0

    def call(self, method: str, target: str, *given: Any, **named: Any) -> Any:
        answer = super().call(method, target, *given, **named)
        self.taken += target.endswith("/events")
        return answer


class Dawdling(Wire):
    """Events of runs take their time to the server, so that whatever can overtake them does."""

    def call(self, method: str, target: str, *given: Any, **named: Any) -> Any:
        if target.endswith("/events"):
            time.sleep(0.2)
        return super().call(method, target, *given, **named)


def through(wire: Wire) -> Iterator[Parley]:
    with Parley("http://127.0.0.1", "") as client:
        client.wire = wire
        client.sessions = Sessions(wire)
        yield client


@pytest.fixture
def slow(url: str, token: str) -> Iterator[Parley]:
    yield from through(Dawdling(url, token))


@pytest.fixture
def counted(url: str, token: str) -> Iterator[Parley]:
    yield from through(Counting(url, token))


def texts(parley: Parley, session_id: str) -> list[Any]:
    return [message.get("content") for message in parley.sessions.messages(session_id)]


def test_a_watched_run_becomes_one_message(parley: Parley, session_id: str) -> None:
    run_id = str(uuid.uuid4())
    with parley.sessions.run(session_id, agent_name="Ada") as run:
        for event in events_of(run_id, 500):
            run.send(event)
    assert run.next == 502

    (row,) = parley.sessions.chat_events(session_id)
    assert row["run_id"] == run_id
    assert row["message_data"]["content"] == "".join(f"{number} " for number in range(500))


def test_lost_answers_double_nothing(url: str, token: str, parley: Parley, session_id: str) -> None:
    run_id = str(uuid.uuid4())
    with CuttingProxy(url, lambda method, path, count: count % 2 == 1) as proxy, Parley(proxy.url, token) as bad:
        with bad.sessions.run(session_id, agent_name="Ada", delay=0.0) as run:
            for event in events_of(run_id, 40):
                run.send(event)
                run.flush()
        assert len(proxy.lost) > 10
    assert texts(parley, session_id) == ["".join(f"{number} " for number in range(40))]


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The waits of calls and streams, which pass at once."""
    waited: list[float] = []
    instant = SimpleNamespace(sleep=waited.append, monotonic=time.monotonic)
    monkeypatch.setattr("parley.wire.time", instant)
    monkeypatch.setattr("parley.runs.time", instant)
    return waited


def busy_at_first(retry_after: str) -> AnsweringServer:
    busy, taken = Reply({}, 503, {"Retry-After": retry_after}), Reply({"epoch": 1, "next": 1, "stop": False})
    return AnsweringServer(lambda number, _: busy if number == 1 else taken)


def test_run_stream_does_not_send_again_before_retry_after_is_over(pauses: list[float]) -> None:
    with busy_at_first("150") as server:
        run = RunStream(Wire(server.url, "t"), "s-1", "r-1", patience=200.0)
        run.send(events_of("r-1")[0])
        run.close()
    assert len(server.bodies) == 2
    (pause,) = pauses
    assert 150 <= pause <= 187.5


@pytest.mark.parametrize(("retry_after", "patience"), [("20", 5.0), ("150", 100.0)])
def test_run_stream_is_refused_at_once_if_retry_after_is_longer_than_its_patience(
    pauses: list[float], retry_after: str, patience: float
) -> None:
    with busy_at_first(retry_after) as server:
        run = RunStream(Wire(server.url, "t"), "s-1", "r-1", patience=patience)
        run.send(events_of("r-1")[0])
        with pytest.raises(ParleyError) as refused:
            run.close()
    assert (refused.value.status, refused.value.retry_after) == (503, float(retry_after))
    assert (len(server.bodies), pauses) == (1, [])


@pytest.mark.parametrize(("published", "message"), [(False, "RuntimeError"), (True, "the password is 坏")])
def test_a_run_that_fails_says_so(parley: Parley, session_id: str, published: bool, message: str) -> None:
    run_id = str(uuid.uuid4())
    stream = parley.sessions.run(session_id, run_id, agent_name="Ada", publish_error_message=published)
    with pytest.raises(RuntimeError), stream as run:
        for event in events_of(run_id)[:3]:
            run.send(event)
        raise RuntimeError("the password is 坏")
    (row,) = parley.sessions.runs(session_id)
    assert row["status"] == "failed"
    error = parley.runs.get(parley.sessions.find(session_id)["thread_id"], run_id)["error"]
    assert error is not None
    assert error["message"] == message


def test_a_stopped_run_stops(parley: Parley, session_id: str) -> None:
    run_id = str(uuid.uuid4())
    run = parley.sessions.run(session_id, run_id, agent_name="Ada")
    with pytest.raises(Stopped), run:
        begun, *_ = events_of(run_id)
        run.send(begun)
        run.flush()
        assert parley.sessions.stop(session_id, run_id) == {"status": "accepted", "stopped": [run_id]}
        give_up = time.monotonic() + 30
        while time.monotonic() < give_up:
            run.send({"event": "RunContent", "content": "more ", "run_id": run_id})
            run.flush()
    (row,) = parley.sessions.runs(session_id)
    assert row["status"] == "cancelled"


def test_an_answer_waits_for_its_run(parley: Parley, session_id: str) -> None:
    run_id = str(uuid.uuid4())
    answer = Message(role="assistant", content="0 1 2 3 4 ")
    with parley.sessions.run(session_id, run_id, agent_name="Ada") as run:
        first, *others = events_of(run_id)
        run.send(first)
        run.flush()
        with pytest.raises(ParleyError) as early:
            parley.sessions.append(session_id, answer, run_id=run_id, agent_name="Ada")
        assert (early.value.slug, early.value.retryable) == ("run-active", True)
        for event in others:
            run.send(event)
    parley.sessions.append(session_id, answer, run_id=run_id, agent_name="Ada")
    assert parley.sessions.messages(session_id) == [answer.to_dict()]


def test_a_silent_run_shows_that_it_lives(
    url: str, token: str, session_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parley.runs.SIGN_OF_LIFE", 0.05)
    posts: list[str] = []
    with CuttingProxy(url, lambda method, path, count: posts.append(path) or False) as proxy:
        run_id = str(uuid.uuid4())
        with Parley(proxy.url, token) as client, client.sessions.run(session_id, run_id, agent_name="Ada") as run:
            run.send(events_of(run_id)[0])
            give_up = time.monotonic() + 30
            while len(posts) < 4 and time.monotonic() < give_up:
                run.flush()
    assert len(posts) >= 4


def test_a_paused_run_goes_on_elsewhere(url: str, token: str, parley: Parley, session_id: str) -> None:
    run_id = str(uuid.uuid4())
    first, *words, last = events_of(run_id)
    with parley.sessions.run(session_id, run_id, agent_name="Ada") as run:
        for event in (first, *words[:2], {"event": "RunPaused", "run_id": run_id, "tools": []}):
            run.send(event)
    assert [row["status"] for row in parley.sessions.runs(session_id)] == ["paused"]

    with Parley(url, token) as other, other.sessions.run(session_id, run_id, agent_name="Ada") as run:
        for event in ({"event": "RunContinued", "run_id": run_id}, *words[2:], last):
            run.send(event)
    assert [row["status"] for row in parley.sessions.runs(session_id)] == ["completed"]
    assert "".join(texts(parley, session_id)) == last["content"]


def test_an_agent_that_asks_first(url: str, token: str, parley: Parley, session_id: str) -> None:
    @tool(requires_confirmation=True)
    def send(to: str) -> str:
        """Sends a letter."""
        return f"sent to {to}"

    def script(messages: list[Any]) -> Any:
        return says("Done.") if messages[-1].role == "tool" else calls(("c1", "send", {"to": "Ada"}))

    agent = Agent(
        id="clerk",
        name="Clerk",
        model=ScriptedModel(script=script),
        tools=[send],
        db=ParleyDb(url, token),
        telemetry=False,
    )
    given = agent.run("Send it", session_id=session_id, stream=True, stream_events=True)
    *_, paused = stream_to(parley, session_id, given, agent=agent)
    assert paused.event == "RunPaused"
    assert [row["status"] for row in parley.sessions.runs(session_id)] == ["paused"]

    for requirement in paused.requirements:
        requirement.confirm()
    given = agent.continue_run(
        run_id=paused.run_id, session_id=session_id, requirements=paused.requirements, stream=True, stream_events=True
    )
    assert [event.event for event in stream_to(parley, session_id, given, agent=agent)][-1] == "RunCompleted"

    assert [row["status"] for row in parley.sessions.runs(session_id)] == ["completed"]
    (run,) = agent.get_session(session_id=session_id).runs
    stored = [message.to_dict() for message in run.messages]
    assert [message["role"] for message in stored] == ["user", "assistant", "tool", "assistant"]
    rows = [row["message_data"] for row in parley.sessions.chat_events(session_id)]
    assert len(rows) == 4
    assert all(message in rows for message in stored)


class Talkative(ScriptedModel):
    """Goes on talking for longer than any test listens."""

    def invoke_stream(self, messages: list[Any], *_: Any, **__: Any) -> Iterator[Any]:
        for number in range(20_000):
            yield ModelResponse(role="assistant", content=f"{number} ")


def stop_once_it_speaks(counted: Parley, session_id: str) -> bool:
    """Stops the run as soon as the server has words of it: what comes before them fits into three posts."""
    is_there = counted.sessions.find(session_id) is not None
    return is_there and counted.wire.taken > 3 and counted.sessions.stop(session_id)["status"] == "accepted"


@pytest.mark.parametrize("awaited", [False, True])
def test_a_stopped_run_stands_after_its_question(
    url: str, token: str, counted: Parley, session_id: str, awaited: bool
) -> None:
    agent = Agent(
        id="counter", name="Counter", model=Talkative(), instructions="Count.", db=ParleyDb(url, token), telemetry=False
    )
    question = "请数数 🔢 عُدَّ"
    stopped = False

    async def watch() -> None:
        nonlocal stopped
        given = agent.arun(question, session_id=session_id, stream=True, stream_events=True)
        async for event in astream_to(counted, session_id, given, agent=agent):
            if event.event == "RunContent" and not stopped:
                stopped = await asyncio.to_thread(stop_once_it_speaks, counted, session_id)

    if awaited:
        asyncio.run(watch())
    else:
        given = agent.run(question, session_id=session_id, stream=True, stream_events=True)
        for event in stream_to(counted, session_id, given, agent=agent):
            if event.event == "RunContent" and not stopped:
                stopped = stop_once_it_speaks(counted, session_id)

    assert stopped
    assert [row["status"] for row in counted.sessions.runs(session_id)] == ["cancelled"]
    rows = list(counted.sessions.chat_events(session_id))
    assert [row["role"] for row in rows][:3] == ["system", "user", "assistant"]
    asked = next(row for row in rows if row["role"] == "user")
    assert asked["message_data"]["content"] == question
    assert asked["sender_id"].startswith("user:")
    answer = next(row for row in rows if row["role"] == "assistant")
    assert (answer["agent_id"], answer["agent_name"]) == ("counter", "Counter")
    assert answer["sender_id"].startswith("agent:")


def test_a_stopped_team_stands_after_its_question(url: str, token: str, counted: Parley, session_id: str) -> None:
    def leads(messages: list[Any]) -> Any:
        return calls(("c1", "delegate_task_to_member", {"member_id": "ada", "task": "think"}))

    team = Team(
        id="council",
        name="Council",
        members=[Agent(id="ada", name="Ada", model=Talkative(), telemetry=False)],
        model=ScriptedModel(script=leads),
        db=ParleyDb(url, token),
        telemetry=False,
    )
    stopped = False
    given = team.run("What shall we do?", session_id=session_id, stream=True, stream_events=True)
    for event in stream_to(counted, session_id, given, agent=team):
        if event.event == "RunContent" and not stopped:
            stopped = stop_once_it_speaks(counted, session_id)

    assert stopped
    rows = list(counted.sessions.chat_events(session_id))
    places = [row["message_data"].get("content") for row in rows]
    answers = [index for index, row in enumerate(rows) if row["role"] in ("assistant", "tool")]
    assert places.index("What shall we do?") < min(answers)


def test_a_question_that_is_given_stands_before_a_run_that_is_stopped(counted: Parley, session_id: str) -> None:
    agent = Agent(id="counter", name="Counter", model=Talkative(), telemetry=False)
    asked = Message(role="user", content="Count.")
    stopped = False
    given = agent.run([asked], stream=True, stream_events=True)
    for event in stream_to(counted, session_id, given, agent=agent, question=asked):
        if event.event == "RunContent" and not stopped:
            stopped = stop_once_it_speaks(counted, session_id)
    assert stopped
    question, answer = counted.sessions.chat_events(session_id)
    assert question["message_data"] == asked.to_dict()
    assert question["run_id"] == answer["run_id"]
    assert answer["role"] == "assistant"


EXAMPLES = [Message(role="user", content="二加二?"), Message(role="assistant", content="4")]


@pytest.mark.parametrize("as_input", [False, True], ids=["additional_input", "list of messages"])
def test_question_after_examples_stands_before_a_run_that_is_stopped(
    url: str, token: str, counted: Parley, session_id: str, as_input: bool
) -> None:
    examples = [Message.from_dict({**each.to_dict(), "id": str(uuid.uuid4())}) for each in EXAMPLES]
    agent = Agent(
        id="counter",
        name="Counter",
        model=Talkative(),
        additional_input=None if as_input else examples,
        db=ParleyDb(url, token),
        telemetry=False,
    )
    question = Message(role="user", content="请数数")
    given = agent.run(
        [*examples, question] if as_input else question.content, session_id=session_id, stream=True, stream_events=True
    )
    stopped = False
    for event in stream_to(counted, session_id, given, agent=agent):
        if event.event == "RunContent" and not stopped:
            stopped = stop_once_it_speaks(counted, session_id)
            if stopped:
                before = [row["message_data"].get("content") for row in counted.sessions.chat_events(session_id)]
                assert before[:3] == ["二加二?", "4", "请数数"]
    assert stopped
    rows = list(counted.sessions.chat_events(session_id))
    assert [row["role"] for row in rows][:4] == ["user", "assistant", "user", "assistant"]
    assert rows[3]["message_data"]["content"].startswith("0 1 2")


def test_example_is_not_taken_for_the_streamed_answer(
    url: str, token: str, parley: Parley, slow: Parley, session_id: str
) -> None:
    agent = Agent(
        id="ada",
        name="Ada",
        model=ScriptedModel(),
        additional_input=EXAMPLES,
        db=ParleyDb(url, token),
        telemetry=False,
    )
    for text in ("三加三?", "四加四?"):
        given = agent.run(text, session_id=session_id, stream=True, stream_events=True)
        for _ in stream_to(slow, session_id, given, agent=agent):
            pass
    thread = parley.thread(parley.sessions.find(session_id)["thread_id"])
    contents = [each["content"].strip() for each in thread.messages.all()]
    turns = ["三加三?", "You said: 三加三?", "四加四?", "You said: 四加四?"]
    assert contents == ["二加二?", "4", *turns]
    session = agent.get_session(session_id=session_id)
    assert [message.content for message in session.runs[0].messages][:2] == ["二加二?", "4"]


@pytest.mark.parametrize("awaited", [False, True])
def test_question_that_is_given_has_its_author(parley: Parley, session_id: str, awaited: bool) -> None:
    agent = Agent(id="ada", name="Ada", model=ScriptedModel(), telemetry=False)
    asked = Message(role="user", content="谁?")
    if awaited:

        async def watch() -> None:
            given = agent.arun([asked], stream=True, stream_events=True)
            async for _ in astream_to(parley, session_id, given, agent=agent, question=asked, user_id="u-7"):
                pass

        asyncio.run(watch())
    else:
        given = agent.run([asked], stream=True, stream_events=True)
        for _ in stream_to(parley, session_id, given, agent=agent, question=asked, user_id="u-7"):
            pass
    question, answer = parley.sessions.chat_events(session_id)
    assert question["sender_id"] == "agno:u-7"
    assert answer["sender_id"].startswith("agent:")


def test_question_that_is_never_found_is_given_up_when_the_model_is_at_work(
    url: str, token: str, parley: Parley, session_id: str, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    looked: list[int] = []
    monkeypatch.setattr("parley.agno.watching.run_asked_by", lambda _: looked.append(1))
    agent = Agent(id="ada", name="Ada", model=ScriptedModel(), db=ParleyDb(url, token), telemetry=False)
    given = agent.run("word " * 50, session_id=session_id, stream=True, stream_events=True)
    names = [event.event for event in stream_to(parley, session_id, given, agent=agent)]
    assert names.count("RunContent") >= 50
    assert 1 <= len(looked) <= 3
    (warning,) = [record for record in caplog.records if record.name == "parley"]
    assert "found no question of run" in warning.getMessage()


def test_iterator_other_than_a_generator_is_not_searched(
    url: str, token: str, parley: Parley, session_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parley.agno.watching.run_asked_by", lambda _: pytest.fail("there is no generator"))
    agent = Agent(id="ada", name="Ada", model=ScriptedModel(), db=ParleyDb(url, token), telemetry=False)
    given = agent.run("Hello", session_id=session_id, stream=True, stream_events=True)
    for _ in stream_to(parley, session_id, map(lambda event: event, given), agent=agent):
        pass
    assert [row["role"] for row in parley.sessions.chat_events(session_id)] == ["user", "assistant"]


def test_tokens_stand_on_the_messages_of_a_watched_run(parley: Parley, session_id: str) -> None:
    def add(a: int, b: int) -> int:
        """Adds."""
        return a + b

    def script(messages: list[Any]) -> Any:
        if messages[-1].role == "tool":
            return says("It is three.", 82, 22)
        asks = calls(("c1", "add", {"a": 1, "b": 2}))
        asks.response_usage = says("", 50, 7).response_usage
        return asks

    agent = Agent(id="ada", name="Ada", model=ScriptedModel(script=script), tools=[add], telemetry=False)
    for _ in stream_to(parley, session_id, agent.run("Add", stream=True, stream_events=True), agent=agent):
        pass
    rows = list(parley.sessions.chat_events(session_id))
    asked, answered = ((50, 7), (82, 22)) if REPORTS_REQUESTS else ((None, None), (132, 29))
    assert [(row["role"], row["input_tokens"], row["output_tokens"]) for row in rows] == [
        ("assistant", *asked),
        ("tool", None, None),
        ("assistant", *answered),
    ]
    answer = Message.from_dict(rows[-1]["message_data"])
    assert (answer.metrics.input_tokens, answer.metrics.output_tokens) == answered
    assert answer.metrics.total_tokens == sum(answered)
    assert all(uuid.UUID(row["id"]).version == 7 for row in rows)


def test_a_watched_team(url: str, token: str, parley: Parley, slow: Parley, session_id: str) -> None:
    def leads(messages: list[Any]) -> Any:
        if messages[-1].role == "tool":
            return says("They agree.")
        return calls(("c1", "delegate_task_to_member", {"member_id": "ada", "task": "think"}))

    team = Team(
        id="council",
        name="Council",
        members=[Agent(id="ada", name="Ada", model=ScriptedModel(), telemetry=False)],
        model=ScriptedModel(script=leads),
        db=ParleyDb(url, token),
        telemetry=False,
    )
    given = team.run("What shall we do?", session_id=session_id, stream=True, stream_events=True)
    said = [event.event for event in stream_to(slow, session_id, given, agent=team)]
    assert said[-1] == "TeamRunCompleted"

    session = ParleyDb(url, token).get_session(session_id, SessionType.TEAM)
    stored = [message.to_dict() for run in session.runs for message in run.messages]
    rows = [row["message_data"] for row in parley.sessions.chat_events(session_id)]
    assert sorted(row["id"] for row in rows) == sorted(message["id"] for message in stored)
    assert all(message in rows for message in stored)
    said = [row.get("content") for row in rows]
    assert said.index("What shall we do?") < said.index("think")


def test_the_seed_loop(parley: Parley, session_id: str) -> None:
    """The loop of the findings, with one line around its events."""
    agent = Agent(name="Ada", model=ScriptedModel(), telemetry=False)
    asked = Message(role="user", content="Grüße, 世界 🌍 e\u0301 العربية")
    parley.sessions.append(session_id, asked)
    said: list[str] = []
    for event in stream_to(parley, session_id, agent.run([asked], stream=True, stream_events=True), agent_name="Ada"):
        if event.event == "RunContent":
            said.append(event.content)
    assert texts(parley, session_id) == [asked.content, "".join(said)]


@pytest.mark.parametrize("awaited", [False, True])
def test_a_watched_run_of_an_agent_that_keeps_its_sessions_here(
    url: str, token: str, parley: Parley, slow: Parley, session_id: str, awaited: bool
) -> None:
    def add(a: int, b: int) -> int:
        """Adds."""
        return a + b

    def script(messages: list[Any]) -> Any:
        return says("It is three.") if messages[-1].role == "tool" else calls(("c1", "add", {"a": 1, "b": 2}))

    agent = Agent(
        id="ada", name="Ada", model=ScriptedModel(script=script), tools=[add], db=ParleyDb(url, token), telemetry=False
    )
    if awaited:

        async def watch() -> None:
            given = agent.arun("Add", session_id=session_id, stream=True, stream_events=True)
            async for _ in astream_to(slow, session_id, given, agent=agent):
                pass

        asyncio.run(watch())
    else:
        given = agent.run("Add", session_id=session_id, stream=True, stream_events=True)
        said = [event.event for event in stream_to(slow, session_id, given, agent=agent)]
        assert said[-1] == "RunCompleted"

    session = agent.get_session(session_id=session_id)
    assert session is not None
    stored = [message.to_dict() for message in session.runs[0].messages]
    assert [message["role"] for message in stored] == ["user", "assistant", "tool", "assistant"]
    # Each is in the log as well, exactly, and none stands there twice.
    rows = [row["message_data"] for row in parley.sessions.chat_events(session_id)]
    assert sorted(row["id"] for row in rows) == sorted(message["id"] for message in stored)
    assert all(message in rows for message in stored)

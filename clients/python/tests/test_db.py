"""Agents and teams of Agno that keep their sessions in Parley."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from agno.agent import Agent
from agno.db.base import SessionType
from agno.db.in_memory import InMemoryDb
from agno.db.schemas import UserMemory
from agno.media import Image
from agno.models.message import Message
from agno.run.agent import RunOutput
from agno.run.base import RunStatus
from agno.session import AgentSession
from agno.team import Team
from agno.workflow import Step, Workflow
from agno_versions import AGNO_2
from cutting import CuttingProxy
from examples_of_messages import BYTES, TEXT
from scripted import ScriptedModel, calls, says

from parley import Parley, ParleyError
from parley.agno import AsyncParleyDb, ParleyDb, session_documents
from parley.agno.objects import SessionObjects
from parley.agno.session_documents import SessionDocuments
from parley.sessions import Sessions


@pytest.fixture
def db(url: str, token: str) -> ParleyDb:
    return ParleyDb(url, token)


@pytest.mark.skipif(not AGNO_2, reason="Agno 3 reads references")
def test_references_are_for_who_can_read_them(url: str, token: str) -> None:
    with pytest.raises(ValueError, match="reads no references"):
        ParleyDb(url, token, media="reference")


def agent_on(db: Any, **about: Any) -> Agent:
    about = {"id": "ada", "name": "Ada", "model": ScriptedModel(), "num_history_runs": 100, **about}
    return Agent(db=db, add_history_to_context=True, telemetry=False, **about)


def said(session: Any) -> list[tuple[str, Any]]:
    return [(message.role, message.content) for message in session.get_messages()]


def test_a_second_process_goes_on_where_the_first_was(url: str, token: str, session_id: str) -> None:
    agent_on(ParleyDb(url, token)).run(TEXT, session_id=session_id)
    second = agent_on(ParleyDb(url, token))
    second.run("and now?", session_id=session_id)

    assert second.model.seen == [[("user", TEXT), ("assistant", f"You said: {TEXT}"), ("user", "and now?")]]


def test_a_session_comes_back_as_it_was(url: str, token: str, db: ParleyDb, session_id: str) -> None:
    def look(what: str) -> str:
        """Looks."""
        raise ValueError(f"There is no {what}.")

    def script(messages: list[Any]) -> Any:
        return says(TEXT) if messages[-1].role == "tool" else calls(("c1", "look", {"what": "x"}), ("c2", "no", {}))

    agent = agent_on(
        db,
        model=ScriptedModel(script=script),
        tools=[look],
        system_message="Be kind.",
        session_state={"a": {"b": 0.0}},
        metadata={"k": TEXT},
        store_events=True,
    )
    run = agent.run("go", session_id=session_id, user_id="u1", images=[Image(content=BYTES, detail="low")])
    session = ParleyDb(url, token).get_session(session_id, SessionType.AGENT)

    assert isinstance(session, AgentSession)
    expected = RunOutput.from_dict(json.loads(json.dumps(run.to_dict()))).to_dict()
    assert session.runs[0].to_dict() == expected
    assert (session.user_id, session.agent_id, session.metadata) == ("u1", "ada", {"k": TEXT})
    assert session.session_data["session_state"] == {"a": {"b": 0.0}}


def test_an_image_is_kept_once(db: ParleyDb, parley: Parley, session_id: str) -> None:
    agent_on(db).run("look", session_id=session_id, images=[Image(content=BYTES * 1000)])
    (row,) = parley.sessions.runs(session_id)
    kept = parley.sessions.run_document(session_id, row["run_id"])

    assert len(json.dumps(kept)) < 20_000
    (run,) = db.get_session(session_id).runs
    assert run.input.images[0].content == BYTES * 1000
    assert run.messages[0].images[0].content == BYTES * 1000


@pytest.mark.parametrize("one_db", [True, False])
def test_runs_at_the_same_time_lose_nothing(url: str, token: str, session_id: str, one_db: bool) -> None:
    shared = ParleyDb(url, token)

    def run(number: int) -> str:
        agent = agent_on(shared if one_db else ParleyDb(url, token))
        return agent.run(f"question {number}", session_id=session_id, session_state={f"key{number}": number}).run_id

    with ThreadPoolExecutor(20) as pool:
        runs = list(pool.map(run, range(20)))

    session = ParleyDb(url, token).get_session(session_id)
    assert sorted(run.run_id for run in session.runs) == sorted(runs)
    asked = [content for role, content in said(session) if role == "user"]
    assert sorted(asked) == sorted(f"question {number}" for number in range(20))
    assert session.session_data["session_state"] == {f"key{number}": number for number in range(20)}
    metrics = session.session_data["session_metrics"]
    assert (metrics["input_tokens"], metrics["output_tokens"]) == (200, 80)


def test_lost_answers_lose_and_double_nothing(url: str, token: str, parley: Parley, session_id: str) -> None:
    with CuttingProxy(url, lambda method, path, count: count % 2 == 1) as proxy:
        agent = agent_on(ParleyDb(proxy.url, token))
        for number in range(3):
            agent.run(f"{number}", session_id=session_id)
        assert len(proxy.lost) > 10

    session = ParleyDb(url, token).get_session(session_id)
    assert [content for role, content in said(session) if role == "user"] == ["0", "1", "2"]
    assert len(list(parley.sessions.chat_events(session_id))) == 6
    assert session.session_data["session_metrics"]["input_tokens"] == 30


def test_the_log_has_each_message_once(db: ParleyDb, parley: Parley, session_id: str) -> None:
    agent = agent_on(db, store_history_messages=True)
    for number in range(4):
        agent.run(f"{number}", session_id=session_id)

    rows = list(parley.sessions.chat_events(session_id))
    assert [row["role"] for row in rows] == ["user", "assistant"] * 4
    last = db.get_session(session_id).runs[-1]
    assert [message.from_history for message in last.messages] == [True] * 6 + [False] * 2
    assert [message.content for message in last.messages if message.role == "user"] == ["0", "1", "2", "3"]


def test_what_is_deleted_elsewhere_is_gone_here(db: ParleyDb, parley: Parley, session_id: str) -> None:
    agent = agent_on(db)
    agent.run("a secret", session_id=session_id)
    assert ("user", "a secret") in said(db.get_session(session_id))
    thread = parley.sessions.find(session_id)["thread_id"]
    (asked, *_) = parley.sessions.chat_events(session_id)
    parley.wire.call("DELETE", f"/api/v1/chat/threads/{thread}/messages/{asked['message_id']}")

    (run,) = db.get_session(session_id).runs
    assert [message.role for message in run.messages] == ["assistant"]
    assert run.input.input_content == ""
    agent.run("and now?", session_id=session_id)
    assert ("user", "a secret") not in agent.model.seen[-1]


def test_what_changes_after_it_was_said_is_kept_with_its_run(db: ParleyDb, parley: Parley, session_id: str) -> None:
    agent_on(db).run("hello", session_id=session_id)
    session = db.get_session(session_id)
    run = session.runs[0]
    run.messages[0].compressed_content = "short"
    run.metadata = {"changed": True}
    if AGNO_2:
        db.upsert_session(session)
    else:
        db.upsert_run(run, session_id)

    (again,) = ParleyDb(db.client.wire.base_url, db.client.wire.token).get_session(session_id).runs
    assert again.messages[0].compressed_content == "short"
    assert "compressed_content" not in parley.sessions.messages(session_id)[0]
    assert len(parley.sessions.messages(session_id)) == 2


def test_an_old_copy_of_a_session_overwrites_nothing(url: str, token: str, session_id: str) -> None:
    first, second = ParleyDb(url, token), ParleyDb(url, token)
    agent_on(first).run("one", session_id=session_id)
    old = first.get_session(session_id)
    agent_on(second).run("two", session_id=session_id, session_state={"theirs": 1})
    old.session_data.setdefault("session_state", {})["ours"] = 2
    first.upsert_session(old)

    now = second.get_session(session_id)
    assert len(now.runs) == 2
    assert now.session_data["session_state"] == {"theirs": 1, "ours": 2}


def test_a_run_that_another_process_has_ended_stays_ended(url: str, token: str, session_id: str) -> None:
    first, second = ParleyDb(url, token), ParleyDb(url, token)
    run = RunOutput(run_id="r", agent_id="ada", session_id=session_id, status=RunStatus.running, messages=[])
    first.upsert_session(AgentSession(session_id=session_id, agent_id="ada", session_data={}, runs=[run]))
    seen = first.get_session(session_id)
    theirs = second.get_session(session_id)
    theirs.runs[0].status = RunStatus.completed
    theirs.runs[0].messages = [Message(role="assistant", content="done")]
    if AGNO_2:
        second.upsert_session(theirs)
    else:
        second.upsert_run(theirs.runs[0], session_id)
    seen.session_data["x"] = 1
    first.upsert_session(seen)

    (now,) = first.get_session(session_id).runs
    assert now.status == RunStatus.completed
    assert [message.content for message in now.messages] == ["done"]


def test_teams(url: str, token: str, parley: Parley, session_id: str) -> None:
    def leads(messages: list[Any]) -> Any:
        if messages[-1].role == "tool":
            return says("They agree.")
        return calls(
            ("c1", "delegate_task_to_member", {"member_id": "ada", "task": "think"}),
            ("c2", "delegate_task_to_member", {"member_id": "ben", "task": "think too"}),
        )

    def member(name: str) -> Agent:
        return Agent(id=name.lower(), name=name, model=ScriptedModel(), telemetry=False)

    team = Team(
        id="council",
        name="Council",
        members=[member("Ada"), member("Ben")],
        model=ScriptedModel(script=leads),
        db=ParleyDb(url, token),
        add_history_to_context=True,
        telemetry=False,
    )
    team.run("What shall we do?", session_id=session_id)
    team.run("Again.", session_id=session_id)

    session = ParleyDb(url, token).get_session(session_id, SessionType.TEAM)
    leading = [run for run in session.runs if run.parent_run_id is None]
    members = [run for run in session.runs if run.parent_run_id is not None]
    assert [run.content for run in leading] == ["They agree.", "They agree."]
    assert sorted(run.agent_name for run in members) == ["Ada", "Ada", "Ben", "Ben"]
    assert {run.parent_run_id for run in members} == {run.run_id for run in leading}
    rows = list(parley.sessions.chat_events(session_id))
    assert {(row["agent_name"], row["team_name"]) for row in rows if row["role"] == "assistant"} == {
        ("Ada", None),
        ("Ben", None),
        (None, "Council"),
    }
    assert len({row["message_id"] for row in rows}) == len(rows)
    # What a team was asked stands before what its members say.
    turns = ("What shall we do?", "Again.", "think", "You said: think")
    said = [row["message_data"].get("content") for row in rows if row["role"] != "tool"]
    assert [content for content in said if content in turns] == [
        "What shall we do?",
        "think",
        "You said: think",
        "Again.",
        "think",
        "You said: think",
    ]


def test_workflows(url: str, token: str, parley: Parley, session_id: str) -> None:
    ada = Agent(id="ada", name="Ada", model=ScriptedModel(), telemetry=False)
    workflow = Workflow(id="w", name="W", steps=[Step(name="s", agent=ada)], db=ParleyDb(url, token), telemetry=False)
    workflow.run("hello", session_id=session_id)
    workflow.run("again", session_id=session_id)

    session = ParleyDb(url, token).get_session(session_id, SessionType.WORKFLOW)
    assert [run.content for run in session.runs] == ["You said: hello", "You said: again"]
    assert [run.step_executor_runs[0].messages[0].content for run in session.runs] == ["hello", "again"]
    rows = list(parley.sessions.chat_events(session_id))
    assert [(row["role"], row["agent_name"]) for row in rows] == [("user", "Ada"), ("assistant", "Ada")] * 2


def test_sessions_are_listed_renamed_and_deleted(db: ParleyDb, parley: Parley, session_id: str) -> None:
    names = [f"{session_id}-{number}" for number in range(3)]
    for name in names:
        agent_on(db, id=f"agent-{session_id}").run("hello", session_id=name, user_id="u1")
    renamed = db.rename_session(names[0], SessionType.AGENT, "世界 🌍")
    assert renamed.session_data["session_name"] == "世界 🌍"
    assert parley.sessions.find(names[0])["session_name"] == "世界 🌍"

    about = {"session_type": SessionType.AGENT, "component_id": f"agent-{session_id}"}
    assert {session.session_id for session in db.get_sessions(**about)} == set(names)
    assert [session.session_id for session in db.get_sessions(**about, session_name="世界")] == [names[0]]
    shown, total = db.get_sessions(**about, limit=2, page=2, deserialize=False)
    assert (len(shown), total) == (1, 3)
    assert db.get_sessions(**about, user_id="u2") == []

    assert not db.delete_session(names[0], user_id="u2")
    db.delete_sessions(names[:2])
    assert db.get_session(names[0]) is None
    assert [session.session_id for session in db.get_sessions(**about)] == [names[2]]


class Overtaken(Sessions):
    """Somebody else writes the document first, so many times."""

    def __init__(self, sessions: Sessions, times: int):
        super().__init__(sessions._wire)
        self.times = times

    def put_document(self, session_id: str, document: Any, version: int, **about: Any) -> int:
        if self.times > 0:
            self.times -= 1
            now = self.document(session_id)
            super().put_document(session_id, {**now.document, "theirs": now.version}, now.version)
        return super().put_document(session_id, document, version, **about)


@pytest.mark.parametrize("way", ["rename", "save"])
def test_who_is_overtaken_writes_later_or_says_so(
    db: ParleyDb, parley: Parley, session_id: str, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_documents, "CONFLICTS", 3)
    agent_on(db).run("hello", session_id=session_id)

    def name_it(name: str, overtaken: int) -> None:
        documents = SessionDocuments(Overtaken(parley.sessions, overtaken), shared=False)
        if way == "rename":
            assert documents.rename(session_id, name, None)
        else:
            session = db.get_session(session_id)
            session.session_data["session_name"] = name
            documents.write(session, documents.known_of(session))

    name_it("second", overtaken=2)
    document = parley.sessions.document(session_id).document
    assert (document["session_data"]["session_name"], document["theirs"]) == ("second", 2)
    with pytest.raises(ParleyError, match="document-changed"):
        name_it("third", overtaken=3)
    assert parley.sessions.document(session_id).document["session_data"]["session_name"] == "second"
    assert parley.sessions.find(session_id)["session_name"] == "second"


def test_a_session_belongs_to_its_user_unless_it_is_shared(url: str, token: str, session_id: str) -> None:
    own, shared = ParleyDb(url, token), ParleyDb(url, token, shared_sessions=True)
    agent_on(own).run("mine", session_id=session_id, user_id="u1")
    assert own.get_session(session_id, user_id="u2") is None
    with pytest.raises(PermissionError, match="shared_sessions"):
        own.upsert_session(AgentSession(session_id=session_id, user_id="u2", session_data={}))

    second = agent_on(shared)
    second.run("ours", session_id=session_id, user_id="u2")
    assert second.model.seen[0][0] == ("user", "mine")
    assert [run.user_id for run in shared.get_session(session_id, user_id="u1").runs] == ["u1", "u2"]


@pytest.mark.parametrize("kind", [ParleyDb, AsyncParleyDb])
def test_awaited_agents(url: str, token: str, db: ParleyDb, session_id: str, kind: type) -> None:
    async def all_at_once() -> None:
        own = kind(url, token)
        await agent_on(own).arun("first", session_id=session_id)
        agents = [agent_on(own) for _ in range(5)]
        await asyncio.gather(*(agent.arun("more", session_id=session_id) for agent in agents))
        assert all(agent.model.seen[0][0] == ("user", "first") for agent in agents)

    asyncio.run(all_at_once())
    assert [content for role, content in said(db.get_session(session_id)) if role == "user"] == ["first"] + ["more"] * 5


def test_what_is_not_kept_is_said_when_awaited(url: str, token: str) -> None:
    with pytest.raises(NotImplementedError, match="fallback"):
        asyncio.run(AsyncParleyDb(url, token).get_user_memories(user_id="u1"))


def test_what_is_not_kept_is_said(url: str, token: str) -> None:
    memory = UserMemory(memory="likes tea", user_id="u1", memory_id="m1")
    with pytest.raises(NotImplementedError, match="fallback"):
        ParleyDb(url, token).upsert_user_memory(memory)

    elsewhere = InMemoryDb()
    ParleyDb(url, token, fallback=elsewhere).upsert_user_memory(memory)
    assert [each.memory for each in elsewhere.get_user_memories(user_id="u1")] == ["likes tea"]


@pytest.mark.skipif(AGNO_2, reason="Agno saves runs by themselves from version 3 on")
def test_runs_by_themselves(url: str, token: str, db: ParleyDb, session_id: str) -> None:
    agent = agent_on(db)
    runs = [agent.run(str(number), session_id=session_id).run_id for number in range(6)]
    other = ParleyDb(url, token)

    assert other.get_run(runs[2]).content == "You said: 2"
    assert [run.run_id for run in other.get_runs(session_id)] == runs
    assert other.get_runs(session_id, limit=2, page=2, deserialize=False)[1] == 6
    assert [run.run_id for run in other.get_session(session_id, runs_limit=2).runs] == runs[-2:]

    assert other.delete_run(runs[5])
    assert not other.delete_run(runs[5])
    assert [run.run_id for run in db.get_session(session_id, runs_limit=2).runs] == runs[3:5]
    assert db.get_run(runs[5]) is None
    assert len(db.get_session(session_id).runs) == 5


@pytest.mark.skipif(AGNO_2, reason="Agno has this from version 3 on")
def test_a_run_is_cancelled_only_as_it_was_seen(db: ParleyDb, session_id: str) -> None:
    db.upsert_session(AgentSession(session_id=session_id, agent_id="ada", session_data={}))
    db.upsert_run(RunOutput(run_id="r", agent_id="ada", status=RunStatus.pending), session_id)
    assert not db.cancel_pending_run("r", session_id=session_id, reason="no", expected_status="RUNNING")
    assert db.cancel_pending_run("r", session_id=session_id, reason="no")
    assert db.get_run("r").status == RunStatus.cancelled


def test_close_lets_go_of_the_fallback_too(url: str, token: str) -> None:
    closed: list[str] = []

    class Elsewhere(InMemoryDb):
        def close(self) -> None:
            closed.append("elsewhere")

    ParleyDb(url, token, fallback=Elsewhere()).close()
    assert closed == ["elsewhere"]
    ParleyDb(url, token, fallback=InMemoryDb()).close()
    ParleyDb(url, token).close()


def test_question_of_a_run_without_an_id_is_not_asked_for_others() -> None:
    class Asked:
        runs: list[Any] = []

        def ask(self, session_id: str, run: Any, user_id: str | None) -> None:
            self.runs.append(run)

    question = Message(role="user", content=TEXT)
    runs = [RunOutput(messages=[question]), RunOutput(run_id="r-1"), RunOutput(run_id="r-2", parent_run_id="r-1")]
    asked = Asked()
    SessionObjects(asked).save(AgentSession(session_id="s", runs=runs), with_runs=False)  # type: ignore[arg-type]
    assert [run["run_id"] for run in asked.runs] == ["r-1"]

"""Sessions of Agno's own database, brought here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from agno.agent import Agent
from agno.db.base import SessionType
from agno.db.sqlite import SqliteDb
from agno.media import Image
from agno.team import Team
from agno_versions import AGNO_2
from examples_of_messages import BYTES, TEXT
from scripted import ScriptedModel, calls, says

from parley import Parley
from parley.agno import ParleyDb
from parley.agno_import import bring, main

OWN_TABLE = [] if AGNO_2 else ["--runs-table", "agno_runs"]


def test_sessions_are_brought_with_their_times_and_go_on(
    url: str, token: str, parley: Parley, session_id: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "agno.db")
    old = SqliteDb(db_file=file)
    agent = Agent(
        id="ada", name="Ada", model=ScriptedModel(), db=old, add_history_to_context=True, session_state={"a": TEXT},
        store_history_messages=True, telemetry=False,
    )  # fmt: skip
    names = [f"{session_id}-{number}" for number in range(3)]
    for name in names:
        agent.run("hello", session_id=name, user_id="u1", images=[Image(content=BYTES)])
        agent.run("again 世界", session_id=name, user_id="u1")
    agent.set_session_name(session_id=names[0], session_name="Named 🌍")

    given = ["--from", file, "--to", url, "--token", token, *OWN_TABLE]
    assert main(given) == 0
    assert capsys.readouterr().out == "brought: 3 sessions, 6 runs, 12 messages, 0 left alone\n"
    assert main(given) == 0
    assert capsys.readouterr().out == "brought: 3 sessions, 6 runs, 12 messages, 0 left alone\n"

    for name in names:
        rows = list(parley.sessions.chat_events(name))
        assert [row["role"] for row in rows] == ["user", "assistant"] * 2
        assert ParleyDb(url, token).get_session(name).to_dict() == old.get_session(name, SessionType.AGENT).to_dict()
    assert parley.sessions.find(names[0])["session_name"] == "Named 🌍"

    agent.db = ParleyDb(url, token)
    agent.run("more", session_id=names[0], user_id="u1")
    assert [content for role, content in agent.model.seen[-1] if role == "user"] == ["hello", "again 世界", "more"]
    assert main(given) == 0
    assert "1 left alone" in capsys.readouterr().out


def test_what_a_team_was_asked_is_brought_before_what_its_members_say(
    url: str, token: str, parley: Parley, session_id: str, tmp_path: Path
) -> None:
    def leads(messages: list[Any]) -> Any:
        if messages[-1].role == "tool":
            return says("They agree.")
        return calls(("c1", "delegate_task_to_member", {"member_id": "ada", "task": "think"}))

    file = str(tmp_path / "agno.db")
    team = Team(
        id="council",
        name="Council",
        members=[Agent(id="ada", name="Ada", model=ScriptedModel(), telemetry=False)],
        model=ScriptedModel(script=leads),
        db=SqliteDb(db_file=file),
        telemetry=False,
    )
    team.run("你好", session_id=session_id)
    team.run("again", session_id=session_id)

    assert main(["--from", file, "--to", url, "--token", token, *OWN_TABLE]) == 0
    rows = [row for row in parley.sessions.chat_events(session_id) if row["role"] in ("user", "assistant")]
    said = [row["message_data"].get("content") for row in rows]
    turn = ["think", "You said: think", "They agree."]
    assert [content for content in said if content] == ["你好", *turn, "again", *turn]


def test_run_without_an_id_is_nobodys_parent(parley: Parley, session_id: str) -> None:
    def run(**about: Any) -> dict[str, Any]:
        text = about.get("run_id", "nameless")
        return {"messages": [{"id": f"{session_id}-{text}", "role": "user", "content": text}], **about}

    class OneSession:
        def rows(self, statement: str, *given: Any) -> Iterator[dict[str, Any]]:
            yield {"session_id": session_id, "created_at": 1_700_000_000, "runs": [run(), run(run_id="r-1")]}

    (counts,) = bring(OneSession(), parley, "agno_sessions", None)
    assert (counts.runs, counts.messages) == (1, 1)
    assert [row["message_data"]["content"] for row in parley.sessions.chat_events(session_id)] == ["r-1"]

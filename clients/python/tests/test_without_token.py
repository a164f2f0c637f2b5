"""The local user of a first start, who has no token."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest
from agno.agent import Agent
from agno.db.sqlite import SqliteDb
from agno_versions import AGNO_2
from canned import NOTHING, CannedServer
from scripted import ScriptedModel

from parley import Parley, ParleyError
from parley.agno import ParleyDb
from parley.agno_import import main


@pytest.mark.parametrize("token", [None, ""])
def test_client_without_a_token_is_the_local_user(url: str, token: str | None) -> None:
    with Parley(url, token) as local:
        caller = local.who_am_i()
        assert (caller["kind"], caller["is_operator"]) == ("user", True)
        thread = local.thread(local.threads.create(title="本地")["thread_id"])
        thread.post("Hello")
        with thread.follow(0) as stream:
            assert next(stream)["sender_id"] == caller["sender_id"]


@pytest.mark.parametrize("token", [None, ""])
def test_request_without_a_token_has_no_authorization_header(token: str | None) -> None:
    with CannedServer(NOTHING) as server, Parley(server.url, token) as local:
        local.wire.call("GET", "/health")
        assert list(local.inbox()) == []
    assert len(server.requests) == 2
    assert not any(b"authorization" in request.lower() for request in server.requests)


def test_session_of_an_agent_without_a_token_is_in_the_local_users_list(url: str) -> None:
    session_id = f"support-{uuid.uuid4()}"
    agent = Agent(name="Ada", model=ScriptedModel(), db=ParleyDb(url), telemetry=False)
    agent.run("Who is there? 谁", session_id=session_id)
    with Parley(url) as local:
        thread_id = local.sessions.find(session_id)["thread_id"]
        listed = {each["thread_id"]: each["title"] for each in local.threads.list()["threads"]}
    assert listed[thread_id] == "Who is there? 谁"


def test_sessions_are_imported_for_the_local_user(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("PARLEY_TOKEN", raising=False)
    session_id, file = f"old-{uuid.uuid4()}", str(tmp_path / "agno.db")
    agent = Agent(name="Ada", model=ScriptedModel(), db=SqliteDb(db_file=file), telemetry=False)
    agent.run("旧", session_id=session_id)
    assert main(["--from", file, "--to", url, *([] if AGNO_2 else ["--runs-table", "agno_runs"])]) == 0
    assert capsys.readouterr().out == "brought: 1 sessions, 1 runs, 2 messages, 0 left alone\n"
    with Parley(url) as local:
        assert [each["content"] for each in local.sessions.messages(session_id)] == ["旧", "You said: 旧"]


def test_token_that_is_not_known_is_still_refused(url: str) -> None:
    with Parley(url, "nonsense") as stranger, pytest.raises(ParleyError) as refused:
        stranger.who_am_i()
    assert refused.value.status == 401

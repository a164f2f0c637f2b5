"""The client itself: lost answers, problems, documents and lists."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from agno.models.message import Message
from cutting import CuttingProxy
from examples_of_messages import TEXT

from parley import Document, Parley, ParleyError, Unreachable


def test_a_lost_answer_is_asked_for_again(url: str, token: str, session_id: str) -> None:
    with CuttingProxy(url, lambda method, path, count: count == 1) as proxy, Parley(proxy.url, token) as parley:
        given = [Message(role="user", content=TEXT), Message(role="user", content="second")]
        parley.sessions.append(session_id, given)
        version = parley.sessions.put_document(session_id, {"state": TEXT}, 0)
        parley.sessions.put_run(session_id, "r1", {"status": "COMPLETED"})
        parley.sessions.rename(session_id, "name")

        assert len(proxy.lost) >= 4
        assert [each["content"] for each in parley.sessions.messages(session_id)] == [TEXT, "second"]
        assert version == 1
        assert parley.sessions.document(session_id) == Document(1, {"state": TEXT})


def test_nobody_there_is_said(token: str) -> None:
    with Parley("http://127.0.0.1:9", token, attempts=2) as parley, pytest.raises(Unreachable) as failure:
        parley.sessions.find("x")
    assert failure.value.retryable


def test_problems_have_a_name(parley: Parley, url: str, session_id: str) -> None:
    with pytest.raises(ParleyError) as missing:
        parley.sessions.messages(session_id)
    assert missing.value.status == 404

    with pytest.raises(ParleyError) as shapeless:
        parley.sessions.append(session_id, {"role": "user"})
    assert shapeless.value.status == 400
    assert "id" in shapeless.value.detail

    with Parley(url, "nonsense") as stranger, pytest.raises(ParleyError) as unknown:
        stranger.sessions.metrics(session_id)
    assert unknown.value.status == 401


def test_a_document_is_replaced_by_who_knows_it(parley: Parley, session_id: str) -> None:
    assert parley.sessions.document(session_id) == Document(0, {})
    odd = {"z": 1, "a": [0.0, None, TEXT, 10**30], "m": {}}
    assert parley.sessions.put_document(session_id, odd, 0) == 1
    assert list(parley.sessions.document(session_id).document) == ["z", "a", "m"]
    with pytest.raises(ParleyError) as refused:
        parley.sessions.put_document(session_id, {}, 0)
    assert (refused.value.slug, refused.value.members["current_version"]) == ("document-changed", 1)


def test_of_many_writers_one_wins_each_time(parley: Parley, session_id: str) -> None:
    def count() -> None:
        for _ in range(5):
            while True:
                now = parley.sessions.document(session_id)
                try:
                    parley.sessions.put_document(session_id, {"n": now.document.get("n", 0) + 1}, now.version)
                    break
                except ParleyError as failure:
                    assert failure.slug == "document-changed"

    threads = [threading.Thread(target=count) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert parley.sessions.document(session_id) == Document(30, {"n": 30})


def test_runs_have_documents(parley: Parley, session_id: str) -> None:
    parley.sessions.put_run(session_id, "root", {"status": "COMPLETED", "agent_name": "Ada", "x": 0.0})
    parley.sessions.put_run(session_id, "child", {"status": "ERROR", "parent_run_id": "root"})

    runs = list(parley.sessions.runs(session_id, page=1))
    assert [(run["run_id"], run["parent_run_id"], run["version"]) for run in runs] == [
        ("root", None, 1),
        ("child", "root", 1),
    ]
    root = parley.sessions.run_document(session_id, "root")
    assert root is not None
    assert (str(root["document"]["x"]), root["children"], root["agent_name"]) == ("0.0", ["child"], "Ada")
    assert parley.sessions.run_document(session_id, "none") is None


def test_sessions_are_listed_renamed_and_deleted(parley: Parley, session_id: str) -> None:
    parley.sessions.append(session_id, Message(role="user", content=TEXT))
    assert parley.sessions.rename(session_id, "世界 🌍")["session_name"] == "世界 🌍"
    assert session_id in [session["session_id"] for session in parley.sessions.list(page=3)]

    assert parley.sessions.delete(session_id)
    assert not parley.sessions.delete(session_id)
    assert parley.sessions.find(session_id) is None
    assert session_id not in [session["session_id"] for session in parley.sessions.list()]


def test_deleted_messages_do_not_hide_earlier_ones(parley: Parley, session_id: str) -> None:
    # The server looks through 50 pages for one that is not empty.
    given = [Message(role="user", content=str(number)) for number in range(57)]
    parley.sessions.append(session_id, given)
    thread = parley.sessions.find(session_id)["thread_id"]

    def delete(message: Message) -> None:
        parley.wire.call("DELETE", f"/api/v1/chat/threads/{thread}/messages/{message.id}")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(delete, given[2:-1]))

    pages = list(parley.sessions.chat_events_before(session_id, page=1))
    assert [] in pages
    assert [row["message_data"]["content"] for page in pages for row in page] == ["56", "1", "0"]
    rows = parley.sessions.chat_events(session_id, page=1)
    assert [row["message_data"]["content"] for row in rows] == ["0", "1", "56"]


def test_metrics_are_summed_by_the_server(parley: Parley, session_id: str) -> None:
    for run in ("r1", "r2"):
        message = Message(role="assistant", content=run)
        message.metrics.input_tokens, message.metrics.output_tokens, message.metrics.total_tokens = 10, 5, 15
        parley.sessions.append(session_id, message, run_id=run, agent_name="Ada")
        parley.sessions.append(session_id, message, run_id=run, agent_name="Ada")

    metrics = parley.sessions.metrics(session_id)
    assert (metrics["usage"]["input_tokens"], metrics["usage"]["output_tokens"]) == (20, 10)
    assert metrics["messages"] == 2


def test_old_messages_keep_their_times(parley: Parley, session_id: str) -> None:
    given = [Message(role="user", content=str(at), created_at=at) for at in (1_600_000_000, 1_700_000_000)]
    events = [{"message": each.to_dict(), "created_at": each.created_at} for each in given]
    parley.sessions.import_(session_id, events, title="Old")
    rows = parley.sessions.import_(session_id, events, title="Old")
    assert [row["created_at"][:10] for row in rows] == ["2020-09-13", "2023-11-14"]
    assert len(parley.sessions.messages(session_id)) == 2

"""Threads, messages and events of the chat face."""

from __future__ import annotations

import threading
import uuid
from dataclasses import replace
from http.client import HTTPConnection

import pytest
from cutting import CuttingProxy
from losing_lines import LineCutter
from texts import UNICODE

from parley import Parley, ParleyError, StaleContext, ThreadClient, Unreachable
from parley.wire import Answer, Wire, _Request


@pytest.fixture
def thread(parley: Parley, thread_id: str) -> ThreadClient:
    return parley.thread(thread_id)


def test_thread_is_created_listed_renamed_archived_and_deleted(parley: Parley) -> None:
    title = f"世界 🌍 العربية {uuid.uuid4()}"
    created = parley.threads.create(title=title, initial_message="Hello", participation_mode="invocation_only")
    thread = parley.thread(created["thread_id"])
    assert (created["title"], created["last_seq"], created["participation_mode"]) == (title, 1, "invocation_only")
    assert thread.get()["last_message_preview"] == "Hello"
    assert [each["thread_id"] for each in parley.threads.list(q=title)["threads"]] == [thread.id]

    assert thread.rename("Another 名")["title"] == "Another 名"
    thread.archive()
    assert thread.id not in [each["thread_id"] for each in parley.threads.all(page=50)]
    assert thread.id in [each["thread_id"] for each in parley.threads.all(archived=True, page=50)]
    with pytest.raises(ParleyError) as archived:
        thread.post("too late")
    assert archived.value.status == 409
    thread.archive(False)
    thread.post("in time")

    thread.delete()
    with pytest.raises(ParleyError) as gone:
        thread.get()
    assert gone.value.status == 404
    with pytest.raises(ParleyError):
        thread.delete()


def test_pages_of_threads_give_each_once(parley: Parley) -> None:
    mark = str(uuid.uuid4())
    ids = {parley.threads.create(title=f"{mark} {number}")["thread_id"] for number in range(5)}
    listed = [each["thread_id"] for each in parley.threads.all(q=mark, page=2)]
    assert (len(listed), set(listed)) == (5, ids)


def test_messages_are_read_edited_taken_back_and_reacted_to(thread: ThreadClient) -> None:
    posted = [thread.post(f"{number} {UNICODE}") for number in range(5)]
    assert [each["thread_seq"] for each in posted] == [1, 2, 3, 4, 5]
    messages = thread.messages
    assert [each["content"] for each in messages.all(page=2)] == [f"{number} {UNICODE}" for number in range(5)]
    assert [each["thread_seq"] for each in messages.list(after=1, limit=2)["messages"]] == [2, 3]
    assert [each["thread_seq"] for each in messages.list(before=3)["messages"]] == [1, 2]

    first, second = posted[0]["id"], posted[1]["id"]
    assert messages.edit(first, "edited 名")["content"] == "edited 名"
    messages.delete(second)
    assert messages.react(first, "👩‍🔬")["reactions"][0]["emoji"] == "👩‍🔬"
    assert messages.unreact(first, "👩‍🔬")["reactions"] == []
    kinds = [each["kind"] for each in messages.entries(after=5)["entries"]]
    assert kinds == ["edit", "deletion", "reaction", "reaction_removed"]
    assert messages.list(limit=200)["messages"][1]["deleted_at"] is not None


def test_messages_are_listed_by_run_and_stage(thread: ThreadClient, url: str, agent_token: str) -> None:
    with Parley(url, agent_token) as agent:
        stages = [("r-1", "intent"), ("r-1", "execution"), ("r-2", "intent")]
        for run_id in ("r-1", "r-2"):
            agent.runs.drive(thread.id, run_id)
        mine = agent.thread(thread.id)
        for run_id, stage in stages:
            thread.post("a person's message")
            mine.post_as_agent(f"{run_id} {stage}", run_id=run_id, metadata={"stage": stage})

    def contents(**filters: str) -> list[str]:
        listed = [each["content"] for each in thread.messages.list(**filters)["messages"]]
        assert [each["content"] for each in thread.messages.all(page=1, **filters)] == listed
        return listed

    assert contents(run_id="r-1") == ["r-1 intent", "r-1 execution"]
    assert contents(stage="intent") == ["r-1 intent", "r-2 intent"]
    assert contents(run_id="r-2", stage="intent") == ["r-2 intent"]
    assert contents(run_id="r-2", stage="execution") == []
    page = thread.messages.list(run_id="r-1", limit=1)
    assert [each["content"] for each in page["messages"]] == ["r-1 execution"]
    earlier = thread.messages.list(run_id="r-1", limit=1, before=page["next_before_seq"])
    assert [each["content"] for each in earlier["messages"]] == ["r-1 intent"]


def test_lost_answers_create_and_delete_once(url: str, token: str, parley: Parley) -> None:
    with CuttingProxy(url, lambda method, path, count: count == 1) as proxy, Parley(proxy.url, token) as client:
        mark = str(uuid.uuid4())
        thread = client.thread(client.threads.create(title=mark)["thread_id"])
        posted = thread.post("once")
        assert (posted["thread_seq"], posted["duplicate"]) == (1, True)
        thread.messages.delete(posted["id"])
        agent = client.owner.create_agent(mark, "external")
        client.owner.delete_agent(agent["agent_id"])
        assert len(proxy.lost) >= 5
        thread.delete()
    assert parley.threads.list(q=mark)["threads"] == []
    assert mark not in [each["display_name"] for each in parley.owner.agents() if each["is_active"]]


def test_key_of_the_caller_repeats_the_first_answer(parley: Parley, thread: ThreadClient) -> None:
    first = thread.post("Hello", client_message_id="key-1")
    again = thread.post("Hello", client_message_id="key-1")
    assert (again["id"], again["duplicate"]) == (first["id"], True)
    with pytest.raises(ParleyError) as other:
        thread.post("Good bye", client_message_id="key-1")
    assert (other.value.status, other.value.slug, other.value.outcome_unknown) == (409, "key-reused", False)

    key = str(uuid.uuid4())
    made = [parley.threads.create(title=key, idempotency_key=key)["thread_id"] for _ in range(2)]
    assert made[0] == made[1]


def test_read_marker_never_moves_back(parley: Parley, thread: ThreadClient, url: str, agent_token: str) -> None:
    with Parley(url, agent_token) as agent:
        for number in range(4):
            agent.thread(thread.id).post_as_agent(str(number))
    assert thread.get()["unread_count"] == 4
    assert [thread.mark_read(3), thread.mark_read(1), thread.mark_read(), thread.get()["unread_count"]] == [3, 3, 4, 0]


def test_agent_that_missed_messages_is_told_them(thread: ThreadClient, url: str, agent_token: str) -> None:
    thread.post("first")
    with Parley(url, agent_token) as agent:
        mine = agent.thread(thread.id)
        assert agent.who_am_i()["kind"] == "agent"
        assert mine.post_as_agent("in time", base_seq=1, latest_seen_seq=1)["stale"] is False
        thread.post("second 世界")
        late = mine.post_as_agent("late", base_seq=2)
        assert (late["stale"], late["stale_lag"]) == (True, 1)
        with pytest.raises(ParleyError) as refused:
            mine.post_as_agent("too late", base_seq=1, on_stale="reject")
    context = refused.value.stale_context
    assert isinstance(context, StaleContext)
    assert (context.current_seq, context.stale_lag) == (4, 1)
    assert [each["content"] for each in context.missed] == ["second 世界"]


def test_user_speaks_for_an_agent_of_its_own(parley: Parley, thread: ThreadClient) -> None:
    agent = parley.owner.create_agent("Scribe", "external")
    thread.add_participants([agent["sender_id"]])
    posted = thread.post_as_agent("I am Scribe.", agent_id=agent["agent_id"])
    assert posted["sender_id"] == agent["sender_id"]
    thread.set_mode("invocation_only", agent["sender_id"])
    modes = {each["sender_id"]: each["participation_mode"] for each in thread.get()["participants"]}
    assert modes[agent["sender_id"]] == "invocation_only"
    thread.remove_participant(agent["sender_id"])
    assert agent["sender_id"] not in [each["sender_id"] for each in thread.get()["participants"]]


def test_poll_and_end_meet_at_the_same_cursor(thread: ThreadClient) -> None:
    thread.post("one")
    thread.post("two")
    thread.rename("Renamed")
    page = thread.poll(limit=1)
    assert (page["events"][0]["event_id"], page["has_more"]) == ("1", True)
    rest = thread.poll("1")["events"]
    assert [each["event_type"] for each in rest] == ["message_committed", "thread_updated"]
    assert thread.end() == rest[-1]["event_id"]
    assert thread.poll(thread.end())["events"] == []


def test_long_poll_waits_longer_than_a_usual_answer(
    url: str, token: str, thread: ThreadClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    timeouts: list[float] = []

    def exchange(wire: Wire, connection: HTTPConnection, request: _Request) -> Answer:
        timeouts.append(request.timeout)
        # The server may be slow; only the limit that was asked for counts.
        return original(wire, connection, replace(request, timeout=60.0))

    original = Wire._exchange
    monkeypatch.setattr(Wire, "_exchange", exchange)
    with Parley(url, token, timeout=0.5, attempts=1) as hasty:
        assert hasty.thread(thread.id).poll(wait=1)["events"] == []
    assert timeouts == [1.5]


def test_stream_has_every_event_once_however_often_it_is_cut(url: str, token: str, thread: ThreadClient) -> None:
    texts = [f"{number} {UNICODE}" for number in range(60)]
    thread.post(texts[0])
    # The header of an answer is below 600 bytes; each connection brings a little more than the one before.
    with LineCutter(url, lambda number: 600 + 400 * number if number < 12 else None) as line:
        with Parley(line.url, token) as client, client.thread(thread.id).follow(0) as stream:
            poster = threading.Thread(target=lambda: [thread.post(text) for text in texts[1:]])
            poster.start()
            seen = [next(stream) for _ in texts]
            poster.join()
        assert line.cut >= 5
    assert [each["content"] for each in seen] == texts
    assert [each["event_id"] for each in seen] == [str(number) for number in range(1, 61)]
    assert (stream.violations, stream.cursor) == (0, "60")


def test_stream_resumes_at_a_given_cursor(thread: ThreadClient) -> None:
    for number in range(3):
        thread.post(str(number))
    opened = threading.Event()
    with thread.follow("2", on_open=opened.set) as stream:
        assert next(stream)["content"] == "2"
        assert opened.is_set()
        thread.post("next")
        assert next(stream)["content"] == "next"
    with pytest.raises(ValueError, match="neither a seq nor an event id"):
        thread.follow("yesterday")


def test_stream_tells_typing(thread: ThreadClient) -> None:
    written = threading.Event()
    stream = thread.follow(thread.end(), on_typing=lambda _: written.set())
    reader = threading.Thread(target=lambda: list(stream))
    reader.start()
    # Typing is stored nowhere, so a stream that does not stand yet, or still catches up, misses it.
    for _ in range(100):
        thread.typing()
        if written.wait(0.3):
            break
    stream.close()
    reader.join(30)
    assert written.is_set()


def test_stream_closed_by_another_thread_ends_its_loop(thread: ThreadClient) -> None:
    opened = threading.Event()
    stream = thread.follow(thread.end(), on_open=opened.set)
    seen: list[object] = []
    reader = threading.Thread(target=lambda: seen.extend(stream))
    reader.start()
    assert opened.wait(30)
    stream.close()
    reader.join(30)
    assert not reader.is_alive()
    assert seen == []


def test_stream_of_a_thread_that_is_not_there_is_refused(parley: Parley) -> None:
    with parley.thread(str(uuid.uuid4())).follow(0) as stream, pytest.raises(ParleyError) as missing:
        next(stream)
    assert missing.value.status == 404
    assert list(stream) == []


def test_stream_gives_up_when_its_patience_ends(url: str, token: str, thread: ThreadClient) -> None:
    thread.post("one")
    with LineCutter(url, lambda number: None) as line, Parley(line.url, token) as client:
        stream = client.thread(thread.id).follow(0, patience=0.5)
        assert next(stream)["content"] == "one"
        line.drop_all()
        with pytest.raises(Unreachable):
            next(stream)
    assert stream.cursor == "1"


def test_inbox_hints_at_threads_that_changed(parley: Parley, thread: ThreadClient, url: str, agent_token: str) -> None:
    opened = threading.Event()
    inbox = parley.inbox(on_open=opened.set)
    hints: list[int] = []

    def read() -> None:
        for hint in inbox:
            if hint["thread_id"] == thread.id:
                hints.append(hint["last_seq"])
                return

    reader = threading.Thread(target=read)
    reader.start()
    assert opened.wait(30)
    with Parley(url, agent_token) as agent:
        agent.thread(thread.id).post_as_agent("Look 世界")
    reader.join(30)
    inbox.close()
    assert hints == [1]

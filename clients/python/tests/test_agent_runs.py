"""Runs of the agent face: started, followed, cancelled, read again."""

from __future__ import annotations

import struct
import uuid
import zlib
from io import BytesIO
from pathlib import Path

import pytest
from cutting import CuttingProxy
from losing_lines import LineCutter
from texts import UNICODE

from parley import Parley, ParleyError


@pytest.fixture
def thread_id() -> str:
    return str(uuid.uuid4())


def png(width: int, height: int) -> bytes:
    """A whole image of one colour."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    rows = zlib.compress((b"\0" + b"\x80" * width) * height)
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def test_run_is_started_followed_and_read_again(parley: Parley, thread_id: str) -> None:
    accepted = parley.runs.say(thread_id, UNICODE)
    assert accepted["threadId"] == thread_id
    with parley.runs.follow(thread_id, accepted["runId"]) as stream:
        events = list(stream)
    assert [events[0].event["type"], events[-1].event["type"]] == ["RUN_STARTED", "RUN_FINISHED"]
    assert {each.run_id for each in events} == {accepted["runId"]}
    said = "".join(each.event["delta"] for each in events if each.event["type"] == "TEXT_MESSAGE_CONTENT")
    assert said == f"You said: {UNICODE}"
    assert (stream.ended, stream.violations) == (True, 0)

    run = parley.runs.get(thread_id, accepted["runId"])
    assert (run["state"], run["taskId"]) == ("completed", accepted["taskId"])
    assert parley.runs.find(thread_id, "none") is None
    assert [each["runId"] for each in parley.runs.list(thread_id)["runs"]] == [accepted["runId"]]
    assert parley.runs.context(thread_id, accepted["runId"])["messages"][0]["content"] == UNICODE
    messages = list(parley.thread(thread_id).messages.all())
    assert [each["role"] for each in messages] == ["user", "assistant"]

    middle = events[len(events) // 2].position
    rest = [each.position for each in parley.runs.follow(thread_id, accepted["runId"], after=middle)]
    assert rest[-1] == events[-1].position
    assert all(position > middle for position in rest)


def test_run_is_started_once_by_its_id(url: str, token: str, parley: Parley, thread_id: str) -> None:
    with CuttingProxy(url, lambda method, path, count: count == 1) as proxy, Parley(proxy.url, token) as client:
        first = client.runs.say(thread_id, "Hello", run_id="run-1")
        assert proxy.lost == ["POST /api/v1/agent/runs"]
    assert parley.runs.say(thread_id, "Hello", run_id="run-1") == first
    with pytest.raises(ParleyError) as other:
        parley.runs.say(thread_id, "Good bye", run_id="run-1")
    assert other.value.status == 409


def test_stream_of_a_run_has_every_event_once_however_often_it_is_cut(
    url: str, token: str, parley: Parley, thread_id: str
) -> None:
    run_id = parley.runs.say(thread_id, "/slow 40")["runId"]
    with LineCutter(url, lambda number: 600 + 300 * number if number < 12 else None) as line:
        with Parley(line.url, token) as client:
            seen = list(client.runs.follow(thread_id, run_id))
        assert line.cut >= 3
    words = [each.event["delta"] for each in seen if each.event["type"] == "TEXT_MESSAGE_CONTENT"]
    assert "".join(words) == parley.thread(thread_id).messages.list()["messages"][-1]["content"]
    positions = [each.position for each in seen]
    assert positions == sorted(set(positions))


def test_run_is_cancelled_and_its_stream_ends(parley: Parley, thread_id: str) -> None:
    run_id = parley.runs.say(thread_id, "/slow 1000")["runId"]
    types: list[str] = []
    with parley.runs.follow(thread_id, run_id) as stream:
        for each in stream:
            if each.event["type"] == "TEXT_MESSAGE_CONTENT" and "TEXT_MESSAGE_CONTENT" not in types:
                assert parley.runs.cancel(thread_id, run_id)["status"] == "accepted"
            types.append(each.event["type"])
            last = each.event
    assert (last["type"], last["outcome"]) == ("RUN_FINISHED", {"type": "cancelled"})
    assert parley.runs.cancel(thread_id, run_id)["status"] == "finished"
    assert parley.runs.get(thread_id, run_id)["state"] == "cancelled"


def test_thread_stream_has_runs_and_messages(parley: Parley, thread_id: str) -> None:
    run_id = parley.runs.say(thread_id, "Hello")["runId"]
    list(parley.runs.follow(thread_id, run_id))
    with parley.runs.follow_thread(thread_id, after=0) as stream:
        names = []
        for each in stream:
            names.append(each.event.get("name") or each.event["type"])
            if each.is_terminal:
                break
    assert names.count("message_committed") >= 1
    assert {"RUN_STARTED", "RUN_FINISHED"} <= set(names)


def test_run_is_given_state_tools_and_context(parley: Parley, thread_id: str) -> None:
    tools = [{"name": "pick", "description": "选择", "parameters": {"type": "object"}}]
    first = parley.runs.say(
        thread_id,
        '/tool pick {"a": 1}',
        state={"n": 1},
        tools=tools,
        context=[{"description": "page", "value": "start"}],
    )
    *_, last = parley.runs.follow(thread_id, first["runId"])
    assert len(last.event["outcome"]["pendingToolCallIds"]) == 1
    assert parley.runs.state(thread_id)["state"] == {"n": 1}

    second = parley.runs.say(thread_id, "Hello", regenerate_from=None, multitask_strategy="reject")
    list(parley.runs.follow(thread_id, second["runId"]))
    diff = parley.runs.context_diff(thread_id, second["runId"], first["runId"])
    assert (diff["runId"], diff["otherRunId"]) == (second["runId"], first["runId"])
    assert diff["added"][-1]["content"] == "Hello"
    removed = "".join(each["content"] for each in diff["removed"])
    assert "- pick: 选择" in removed
    assert "page: start" in removed


def test_open_question_is_answered_by_resume(parley: Parley, thread_id: str) -> None:
    asking = parley.runs.say(thread_id, "/approve Publish it?")["runId"]
    list(parley.runs.follow(thread_id, asking))
    (interrupt,) = parley.runs.get(thread_id, asking)["openInterrupts"]
    answer = [{"interruptId": interrupt, "status": "resolved", "payload": {"approved": True}}]
    resumed = parley.runs.say(thread_id, "yes", resume=answer)["runId"]
    *_, last = parley.runs.follow(thread_id, resumed)
    assert last.event["type"] == "RUN_FINISHED"
    assert parley.runs.get(thread_id, asking)["openInterrupts"] == []


def test_image_is_uploaded_once_shown_and_in_the_history(
    url: str, token: str, parley: Parley, thread_id: str, tmp_path: Path
) -> None:
    file = tmp_path / '图 "片".png'
    file.write_bytes(png(8, 6))
    with CuttingProxy(url, lambda method, path, count: count == 1) as proxy, Parley(proxy.url, token) as client:
        image = client.attachments.upload(file, thread_id=thread_id)
        assert proxy.lost == ["POST /api/v1/agent/attachments"]
    assert (image["bucket"], image["mime_type"]) == ("agent-files", "image/png")

    run_id = parley.runs.say(thread_id, "看看", images=[image])["runId"]
    list(parley.runs.follow(thread_id, run_id))
    answer = parley.thread(thread_id).messages.list()["messages"][-1]["content"]
    assert "8 × 6 pixels" in answer

    day = parley.history.day(thread_id)
    question = day["messages"][0]
    assert question["role"] == "user"
    assert (question["content"], question["attachments"][0]["path"]) == ("看看", image["path"])
    fresh = parley.attachments.signed_url(image["bucket"], image["path"])
    assert "?token=" in fresh["url"]


def test_image_is_taken_as_bytes_and_as_an_open_file(parley: Parley) -> None:
    for given in (png(1, 1), BytesIO(png(1, 1))):
        assert parley.attachments.upload(given)["mime_type"] == "image/png"
    assert parley.attachments.upload(png(1, 1), filename="a.jpg")["mime_type"] == "image/png"
    with pytest.raises(ParleyError) as disagreeing:
        parley.attachments.upload(png(1, 1), mime_type="image/jpeg")
    assert disagreeing.value.status == 415
    with pytest.raises(ParleyError) as refused:
        parley.attachments.upload(b"<svg/>", filename="a.svg")
    assert refused.value.status == 415


def test_history_goes_back_page_by_page(parley: Parley, thread_id: str) -> None:
    for number in range(3):
        list(parley.runs.follow(thread_id, parley.runs.say(thread_id, f"{number} 世界")["runId"]))
    pages = list(parley.history.back(thread_id, tz="Asia/Shanghai", limit=2))
    assert [len(page["messages"]) for page in pages] == [2, 2, 2]
    seqs = [message["seq"] for page in reversed(pages) for message in page["messages"]]
    assert seqs == [1, 2, 3, 4, 5, 6]

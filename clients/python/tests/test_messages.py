"""What comes out is what went in, for every message that Agno can make."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from agno.media import Image
from agno.models.message import Message
from agno_versions import AGNO, AGNO_2
from conformance import measured
from examples_of_messages import BYTES, FIELDS, PIXEL, TEXT, everything, messages_by_field, messages_by_medium

from parley import Parley, ParleyError

OTHER_VERSION = re.compile(rf"(?!{re.escape(AGNO)}: )\d+\.\d+\.\d+: ")
DOCUMENT = Path(__file__).parents[3] / "docs" / "use" / "agno.md"

ALL = [*messages_by_field(), *messages_by_medium(), ("everything", "set", everything())]


def text_of(value: Any) -> str:
    """Differs for another order of members, and for 0 and 0.0."""
    return json.dumps(value)


def own_round_trip(written: dict[str, Any]) -> dict[str, Any] | str:
    try:
        return Message.from_dict(json.loads(text_of(written))).to_dict()
    except Exception as failure:
        return type(failure).__name__


def test_every_field_is_tried() -> None:
    untried = set(Message.model_fields) - set(FIELDS) - {"id", "role"}
    assert not untried


@pytest.mark.parametrize(("what", "variant", "message"), ALL, ids=[f"{a}-{b}" for a, b, _ in ALL])
def test_a_message_comes_back_as_it_was(
    parley: Parley, session_id: str, what: str, variant: str, message: Message
) -> None:
    written = message.to_dict()
    parley.sessions.append(session_id, message, agent_name="Ada")

    (back,) = parley.sessions.messages(session_id)
    (row,) = parley.sessions.chat_events(session_id)

    assert text_of(back) == text_of(written)
    assert text_of(row["message_data"]) == text_of(written)
    assert own_round_trip(back) == own_round_trip(written)


def test_order_is_that_of_the_session_and_not_of_the_clock(parley: Parley, session_id: str) -> None:
    given = [Message(role="user", content=str(number), created_at=1_000 - number) for number in range(450)]
    parley.sessions.append(session_id, given)

    assert [row["message_data"]["content"] for row in parley.sessions.chat_events(session_id)] == [
        each.content for each in given
    ]
    assert [each["content"] for each in parley.sessions.messages(session_id, last=3)] == ["447", "448", "449"]


def test_pages_backwards_are_the_same_rows(parley: Parley, session_id: str) -> None:
    parley.sessions.append(session_id, [Message(role="user", content=str(number)) for number in range(25)])

    forwards = [row["id"] for row in parley.sessions.chat_events(session_id, page=7)]
    pages = list(parley.sessions.chat_events_before(session_id, page=7))

    assert [row["id"] for page in reversed(pages) for row in page] == forwards
    assert len(set(forwards)) == 25


def test_an_id_is_a_message(parley: Parley, session_id: str) -> None:
    message = Message(role="user", content=TEXT)
    (first,) = parley.sessions.append(session_id, message)
    (second,) = parley.sessions.append(session_id, message.model_copy(update={"from_history": True}))
    assert second["id"] == first["id"]

    with pytest.raises(ParleyError) as refused:
        parley.sessions.append(session_id, [Message(role="user", content="new"), {**message.to_dict(), "content": "x"}])
    assert (refused.value.status, refused.value.slug) == (409, "key-reused")
    assert len(parley.sessions.messages(session_id)) == 1


def test_not_a_number_is_refused_before_it_is_sent(parley: Parley, session_id: str) -> None:
    with pytest.raises(ValueError, match="NaN or Infinity"):
        parley.sessions.append(session_id, Message(role="tool", content="x", tool_args={"a": float("nan")}))
    assert parley.sessions.find(session_id) is None


@pytest.mark.parametrize("name", ["with space/and slash", "世界 🌍 e\u0301", "العربية", "%2F?#&", "a" * 128])
def test_sessions_have_any_name(parley: Parley, session_id: str, name: str) -> None:
    own = f"{name[:80]}{session_id}"[-128:]
    parley.sessions.append(own, Message(role="user", content=TEXT))
    assert len(parley.sessions.messages(own)) == 1


# --- The examples of the findings that all this began with ---


def test_the_seed_text_message(parley: Parley, session_id: str) -> None:
    given = {
        "id": "e78cbc35-74a1-4e5a-9fdf-4a3b12b7bdc6",
        "content": "What is the capital of France?",
        "from_history": False,
        "stop_after_tool_call": False,
        "role": "user",
        "created_at": 1765280936,
    }
    assert Message.from_dict(dict(given)).to_dict() == given
    parley.sessions.append(session_id, given)
    assert parley.sessions.messages(session_id) == [given]


def test_the_seed_image(parley: Parley, session_id: str) -> None:
    image = Image.from_base64(Image(content=PIXEL).to_dict()["content"], media_type="image/png")
    message = Message(role="user", content="What word do you see in this image?", images=[image])
    parley.sessions.append(session_id, message)

    (back,) = parley.sessions.messages(session_id)
    assert back == message.to_dict()
    assert Message.from_dict(back).images[0].content == PIXEL


def test_the_seed_metrics(parley: Parley, session_id: str) -> None:
    message = Message(role="assistant", content="2 + 2 equals 4.")
    message.metrics.input_tokens = 82
    message.metrics.output_tokens = 22
    message.metrics.total_tokens = 104
    (row,) = parley.sessions.append(session_id, message, agent_name="Calculator")

    assert (row["input_tokens"], row["output_tokens"], row["agent_name"]) == (82, 22, "Calculator")
    assert row["usage"]["total_tokens"] == 104
    assert Message.from_dict(row["message_data"]).metrics.total_tokens == 104


# --- Media elsewhere ---


def test_media_can_be_read_by_their_address(parley: Parley, session_id: str) -> None:
    message = Message(role="user", content="look", images=[Image(content=BYTES, id="i", detail="low", alt_text=TEXT)])
    parley.sessions.append(session_id, message)

    (back,) = parley.sessions.messages(session_id, media="url")
    (image,) = Message.from_dict(back).images

    assert image.url.startswith("http")
    assert image.get_content_bytes() == BYTES
    # With an address Agno keeps what it loses of bytes.
    assert (image.id, image.detail, image.alt_text) == ("i", "low", TEXT)


@pytest.mark.skipif(AGNO_2, reason="Agno has references from version 3 on")
def test_media_can_be_references(parley: Parley, session_id: str) -> None:
    message = Message(role="user", content="look", images=[Image(content=BYTES, id="i", detail="low")])
    parley.sessions.append(session_id, message)

    (back,) = parley.sessions.messages(session_id, media="reference")
    again = Message.from_dict(json.loads(text_of(back)))

    assert again.to_dict() == back
    assert again.images[0].media_reference.size == len(BYTES)
    assert again.images[0].content is None


def test_what_agno_loses_is_what_the_page_says() -> None:
    lines = DOCUMENT.read_text().splitlines()
    header = next(line for line in lines if line.startswith("| what | Agno "))
    assert AGNO in header
    begin = lines.index(header) + 2
    end = next(at for at in range(begin, len(lines)) if not lines[at].startswith("|"))
    rows = [line.strip("| ").split(" | ") for line in lines[begin:end]]
    # A row that names versions holds for these only.
    said = {what: result.removeprefix(f"{AGNO}: ") for what, result in rows if not OTHER_VERSION.match(result)}
    assert said == measured()

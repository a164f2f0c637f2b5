"""Messages of Agno's with each field unset, empty and set, and with each kind of medium."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from typing import Any

from agno.media import Audio, File, Image, Video
from agno.models.message import Citations, DocumentCitation, Message, MessageReferences, UrlCitation
from agno_versions import metrics

TEXT = 'Grüße, 世界 🌍 e\u0301 العربية \u0000 \ud800 "\\/\u2028'
BYTES = bytes(range(256)) * 8
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
CALL = {"id": "call_1", "type": "function", "function": {"name": "add", "arguments": '{"a": 1}'}}

# field: variants of it. A field that is not given at all is the variant `unset` of every other line.
FIELDS: dict[str, dict[str, Any]] = {
    "content": {"empty": "", "empty list": [], "set": TEXT, "list": [{"type": "text", "text": TEXT}, 1, None]},
    "compressed_content": {"empty": "", "set": TEXT},
    "name": {"empty": "", "set": TEXT},
    "tool_call_id": {"empty": "", "set": "call_1"},
    "tool_name": {"empty": "", "set": "add"},
    "tool_args": {"empty": {}, "set": {"a": 1, "b": 0.0, "c": None, "d": 10**30, "e": 1e-7, "f": [TEXT]}},
    "tool_call_error": {"empty": False, "set": True},
    "tool_calls": {"empty": [], "set": [CALL, {**CALL, "id": "fc_2", "call_id": "c_2", "thought_signature": "QQ=="}]},
    "reasoning_content": {"empty": "", "set": TEXT},
    "redacted_reasoning_content": {"empty": "", "set": TEXT},
    "provider_data": {"empty": {}, "set": {"signature": "QQ==", "nothing": None, "zero": 0.0}},
    "stop_after_tool_call": {"empty": False, "set": True},
    "from_history": {"empty": False, "set": True},
    "checkpoint_status": {"empty": "", "set": "saved"},
    "checkpoint_created_at": {"empty": 0, "set": 1_765_280_936},
    "images": {"empty": [], "set": [Image(content=PIXEL, id="i", mime_type="image/png")]},
    "audio": {"empty": [], "set": [Audio(content=BYTES, id="a", mime_type="audio/wav")]},
    "videos": {"empty": [], "set": [Video(content=BYTES, id="v", mime_type="video/mp4")]},
    "files": {"empty": [], "set": [File(content=BYTES, id="f", mime_type="application/pdf")]},
    "audio_output": {"set": Audio(content=BYTES, id="a")},
    "image_output": {"set": Image(content=PIXEL, id="i")},
    "video_output": {"set": Video(content=BYTES, id="v")},
    "file_output": {"set": File(content=BYTES, id="f")},
    "citations": {
        "set": Citations(
            raw={"a": 1},
            search_queries=["q"],
            urls=[UrlCitation(url="https://example.org", title=TEXT)],
            documents=[DocumentCitation(document_title="t", cited_text="c", file_name="f")],
        )
    },
    "references": {"set": MessageReferences(query="q", references=[{"a": None}], time=0.5)},
    "metrics": {
        "empty": metrics(),
        "set": metrics(
            input_tokens=82, output_tokens=22, total_tokens=104, cache_read_tokens=3, reasoning_tokens=2, cost=0.0,
            duration=1.5, time_to_first_token=0.25, provider_metrics={"x": None},
        ),
    },
    "created_at": {"empty": 0, "set": 1_765_280_936},
    "add_to_agent_memory": {"empty": False, "set": True},
    "temporary": {"empty": False, "set": True},
}  # fmt: skip
# Later versions of Agno have added fields.
FIELDS = {field: variants for field, variants in FIELDS.items() if field in Message.model_fields}

MEDIA: dict[str, tuple[str, Callable[..., Any], dict[str, Any]]] = {
    "image": (
        "images",
        Image,
        {"id": "i", "format": "png", "mime_type": "image/png", "detail": "low", "original_prompt": "o",
         "revised_prompt": "r", "alt_text": TEXT},
    ),
    "audio": (
        "audio",
        Audio,
        {"id": "a", "format": "wav", "mime_type": "audio/wav", "duration": 1.5, "sample_rate": 8000, "channels": 2,
         "transcript": TEXT, "expires_at": 1_765_280_936},
    ),
    "video": (
        "videos",
        Video,
        {"id": "v", "format": "mp4", "mime_type": "video/mp4", "duration": 1.5, "width": 10, "height": 20, "fps": 30.0,
         "eta": "1", "original_prompt": "o", "revised_prompt": "r"},
    ),
    "file": (
        "files",
        File,
        {"id": "f", "mime_type": "application/pdf", "file_type": "pdf", "filename": "a.pdf", "size": 9, "format": "pdf",
         "name": TEXT},
    ),
}  # fmt: skip
SOURCES: dict[str, dict[str, Any]] = {
    "bytes": {"content": BYTES},
    "url": {"url": "https://example.org/a"},
    "path": {"filepath": "/nowhere/a"},
}


def messages_by_field() -> Iterator[tuple[str, str, Message]]:
    yield "role", "set", Message(role="user")
    for field, variants in FIELDS.items():
        for variant, value in variants.items():
            yield field, variant, Message(role="assistant", **{field: value})


def messages_by_medium() -> Iterator[tuple[str, str, Message]]:
    for kind, (field, make, about) in MEDIA.items():
        for source, given in SOURCES.items():
            yield kind, source, Message(role="user", content="look", **{field: [make(**about, **given)]})
            yield f"{kind} and nothing else", source, Message(role="user", **{field: [make(**given)]})
    yield "file of text", "bytes", Message(role="user", files=[File(content=b"a,b\n" * 600, mime_type="text/csv")])
    yield "file of text", "text", Message(role="user", files=[File(content="a,b\n" * 600, mime_type="text/csv")])
    yield "no bytes", "bytes", Message(role="user", images=[Image(content=b"")])
    both = [Image(content=PIXEL, id="1"), Image(content=BYTES, id="2"), Image(content=BYTES, id="3")]
    yield "several images", "bytes", Message(role="user", images=both, files=[File(content=BYTES)])


def everything() -> Message:
    """All fields of a message at once."""
    given = {field: variants["set"] for field, variants in FIELDS.items()}
    return Message(role="assistant", id="all-of-it", **given)

"""The helpers that every client has, and the parts of streams, without a server."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import parley
from parley import compute_stale_lag, fresh_id, is_stale, should_respond, strip_legacy_ingest_prefix
from parley.cursor import Cursor
from parley.sse import Frame, SseReader
from parley.wire import pause_before, under

PREFIXES = json.loads((Path(__file__).parents[2] / "conformance" / "legacy-prefix.json").read_text())
ME = "agent:me"


@pytest.mark.parametrize(
    ("base_seq", "current", "stale", "lag"),
    [(11, 14, True, 3), (12, 12, False, 0), (13, 12, False, 0), (None, 12, False, 0), (11, None, False, 0)],
)
def test_stale_by_the_difference_of_seqs(base_seq: int | None, current: int | None, stale: bool, lag: int) -> None:
    assert (is_stale(base_seq, current), compute_stale_lag(base_seq, current)) == (stale, lag)


@pytest.mark.parametrize(
    ("mode", "sender", "mentions", "answers"),
    [
        ("open", "user:a", [], True),
        (None, "user:a", None, True),
        ("open", "slack:U1", [], True),
        ("open", "agent:other", [], False),
        ("open", "agent:other", [ME], True),
        ("open", "system:parley", None, False),
        ("open", ME, [ME], False),
        ("open", None, [ME], False),
        ("invocation_only", "user:a", [], False),
        ("invocation_only", "user:a", None, False),
        ("invocation_only", "user:a", ["agent:other", ME], True),
        ("invocation_only", "agent:other", [ME], True),
    ],
)
def test_should_respond_by_mode_sender_and_mentions(mode: Any, sender: Any, mentions: Any, answers: bool) -> None:
    assert should_respond(me=ME, sender=sender, mode=mode, mentions=mentions) is answers


@pytest.mark.parametrize("case", PREFIXES, ids=lambda case: f"{case['source']}: {case['content']!r:.60}")
def test_strip_legacy_prefix_as_every_client_does(case: dict[str, Any]) -> None:
    assert strip_legacy_ingest_prefix(case["content"], case["source"]) == case["expected"]


def test_strip_legacy_prefix_of_a_long_hostile_text_ends() -> None:
    text = f"[Slack channel:C1 user:{'[' * 1_000_000}"
    assert strip_legacy_ingest_prefix(text, "slack") == text


def test_helpers_have_the_names_of_every_client() -> None:
    for other, name in [
        ("isStale", "is_stale"),
        ("computeStaleLag", "compute_stale_lag"),
        ("shouldRespond", "should_respond"),
        ("stripLegacyIngestPrefix", "strip_legacy_ingest_prefix"),
    ]:
        assert getattr(parley, other) is getattr(parley, name)
        assert other in parley.__all__


def test_fresh_ids_are_uuid_v7_and_sort_by_time() -> None:
    form = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
    ids = [fresh_id(now) for now in (0, 0.001, 4_294_967.295, 4_294_967.296, 1_794_830_000)]
    assert all(form.fullmatch(each) for each in ids)
    assert sorted(ids) == ids
    assert len({fresh_id() for _ in range(1000)}) == 1000


def test_cursor_reads_event_ids_only() -> None:
    assert [str(Cursor.parse(each)) for each in ("12", "12-457", "0")] == ["12", "12-457", "0"]
    assert [Cursor.parse(each) for each in ("", "x", "12-", "-1", "1-2-3", "１２", "1" * 16)] == [None] * 7


def test_cursor_entries_are_dense_and_positions_grow() -> None:
    at = Cursor(12, 5)
    following = [(13, 0), (12, 6), (12, 60)]
    others = [(12, 0), (12, 5), (14, 0), (13, 7)]
    assert all(Cursor(*each).follows(at) for each in following)
    assert not any(Cursor(*each).follows(at) for each in others)


def test_sse_frames_are_the_same_however_the_bytes_are_cut() -> None:
    text = (
        "\ufeff: hello\r\n\r\nid: 1\nevent: a\ndata: 世界 🌍\u2028x\r\ndata:  مرحبا\r\rdata\n\n"
        "retry: 1500\nretry: x\nid\ndata: no id\n\nid: 7\x00\ndata: old id\n\ndata: never ends"
    ).encode()
    expected = [
        Frame("a", "世界 🌍\u2028x\n مرحبا", "1", True),
        Frame("message", "", "1", False),
        Frame("message", "no id", "", False),
        Frame("message", "old id", "", False),
    ]
    for size in (1, 2, 3, 7, len(text)):
        reader = SseReader()
        frames = [frame for at in range(0, len(text), size) for frame in reader.feed(text[at : at + size])]
        assert frames == expected
        assert reader.retry == 1.5


def test_sse_frame_has_a_limit_and_heartbeats_do_not_count() -> None:
    reader = SseReader(max_frame=10)
    for _ in range(100):
        assert reader.feed(b": heartbeat\n\n") == []
    assert reader.feed(b"data: 1234\n\n") == [Frame("message", "1234", "", False)]
    with pytest.raises(ValueError, match="longer than 10 characters"):
        reader.feed(b"data: 12345\n\n")


def test_pauses_grow_to_a_limit_however_many_attempts_there_were() -> None:
    assert pause_before(1) < 0.2
    assert 7 < pause_before(5_000) < 13


@pytest.mark.parametrize("part", ["", ".", ".."])
def test_ids_that_lead_to_another_path_are_refused(part: str) -> None:
    with pytest.raises(ValueError, match="cannot be an id"):
        under("/api/v1/chat/threads", part)
    assert under("/a", "x/../y", "世") == "/a/x%2F..%2Fy/%E4%B8%96"

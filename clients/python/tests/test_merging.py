"""Merging and documents, without a server."""

from __future__ import annotations

import json
import random
from typing import Any

from examples_of_messages import BYTES, everything

from parley.agno.documents import ancestors_of, document_of, ids_in, plain, question_of, run_of, spoken_in
from parley.agno.merging import merged


def test_changes_of_both_stand() -> None:
    base = {"session_data": {"session_state": {"a": 1, "b": 1, "gone": 1}}, "metadata": None}
    ours = {"session_data": {"session_state": {"a": 2, "b": 1, "ours": 1}}, "metadata": None}
    theirs = {"session_data": {"session_state": {"a": 1, "b": 3, "gone": 1, "theirs": 1}}, "metadata": {"x": 1}}

    assert merged(base, ours, theirs) == {
        "session_data": {"session_state": {"a": 2, "b": 3, "ours": 1, "theirs": 1}},
        "metadata": {"x": 1},
    }


def test_nothing_of_ours_is_lost_and_nothing_of_theirs_that_we_left_alone() -> None:
    for seed in range(300):
        chance = random.Random(seed)

        base, ours, theirs = (
            {name: chance.randrange(3) for name in "abcdef" if chance.random() < 0.6} for _ in range(3)
        )
        result = merged({"session_data": base}, {"session_data": ours}, {"session_data": theirs})["session_data"]
        for name in "abcdef":
            winner = theirs if ours.get(name) == base.get(name) else ours
            assert result.get(name) == winner.get(name), f"seed {seed}"


def test_counters_are_added_up() -> None:
    def used(tokens: int, model: str) -> dict[str, Any]:
        counts = {"input_tokens": tokens, "cost": tokens / 2}
        details = {"model": [{"id": model, "provider": "p", "input_tokens": tokens}]}
        return {"session_data": {"session_metrics": {**counts, "details": details}}}

    result = merged(used(10, "m"), used(15, "m"), used(30, "m"))
    metrics = result["session_data"]["session_metrics"]
    assert metrics == {
        "input_tokens": 35,
        "cost": 17.5,
        "details": {"model": [{"id": "m", "provider": "p", "input_tokens": 35}]},
    }
    other = merged(used(10, "m"), used(15, "n"), used(30, "m"))
    assert [each["id"] for each in other["session_data"]["session_metrics"]["details"]["model"]] == ["m", "n"]


def test_a_run_comes_out_of_its_document_as_it_was() -> None:
    message = plain(everything().to_dict(), None)
    media = {"images": [{"id": "x", "content": message["files"][0]["content"], "detail": "low"}]}
    inner = {"run_id": "inner", "agent_id": "ada", "messages": [{**message, "id": "inner-1"}], "status": "COMPLETED"}
    run = {
        "run_id": "outer",
        "team_id": "t",
        "messages": [message, {**message, "id": "changed"}, {"role": "user", "id": "x" * 200}],
        "input": {**media, "input_content": message["content"]},
        "member_responses": [inner],
        "content": message["content"],
    }
    log = {each.id: each.message for each in spoken_in(run)}
    assert list(log) == ["all-of-it", "changed", "inner-1"]

    document = document_of(run, lambda each: each["id"] != "changed")

    assert document["content"] == {"parley_said": "all-of-it"}
    assert sorted(ids_in(document)) == ["all-of-it", "inner-1"]
    assert len(BYTES) > 1024
    assert str(document).count(message["files"][0]["content"]) < str(run).count(message["files"][0]["content"])
    assert run_of(document, {each: json.dumps(message) for each, message in log.items()}) == run
    # What is gone from the log is gone from the run, and everything else is there.
    assert [each["id"] for each in run_of(document, {})["messages"]] == ["changed", "x" * 200]


def test_members_speak_between_the_question_and_the_answer_of_their_team() -> None:
    def said(message_id: str, role: str, **more: Any) -> dict[str, Any]:
        return {"id": message_id, "role": role, "content": message_id, **more}

    ada = {"run_id": "ada", "messages": [said("task", "user"), said("thought", "assistant")]}
    team = {
        "run_id": "team",
        "messages": [
            said("before", "assistant", from_history=True),
            said("rules", "system"),
            said("question", "user"),
            said("call", "assistant"),
            said("result", "tool"),
            said("answer", "assistant"),
        ],
        "member_responses": [ada],
    }
    order = ["before", "rules", "question", "task", "thought", "call", "result", "answer"]
    assert [each.id for each in spoken_in(team)] == order
    assert [each.id for each in question_of(team)] == ["before", "rules", "question"]


def test_the_runs_above_a_run_begin_with_the_topmost() -> None:
    parents = {"a": "b", "b": "c", "c": None, "d": "gone", "x": "y", "y": "x"}
    assert ancestors_of("a", parents) == ["c", "b"]
    assert ancestors_of("c", parents) == []
    assert ancestors_of("d", parents) == []
    assert ancestors_of("x", parents) == ["y"]

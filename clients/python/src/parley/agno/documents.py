"""How a run of Agno's is kept: its messages in the log, each once, and the rest as a document that names them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from parley.wire import JsonDefault, to_json

Json = dict[str, Any]

# Lists of whole runs that a run may hold.
NESTED_RUNS = ("member_responses", "step_executor_runs")
MEDIA_LISTS = ("images", "audio", "videos", "files")
# Shorter contents are cheaper to repeat than to look up.
LEAST_MEDIUM = 1024
MEDIUM = "parley_medium"
SAID = "parley_said"
DELETED = "parley_deleted"
LONGEST_ID = 128
# The roles in which an agent answers.
ANSWERS = ("assistant", "tool")


@dataclass(frozen=True)
class Spoken:
    """A message of a run. `given`: the caller of the run has put it there, whatever its role, and not the model."""

    message: Json
    run: Json
    print: bytes
    given: bool

    @property
    def id(self) -> str:
        return self.message["id"]

    @property
    def from_history(self) -> bool:
        return bool(self.message.get("from_history"))

    @property
    def answers(self) -> bool:
        return not self.from_history and not self.given and self.message["role"] in ANSWERS

    def event(self, user_id: str | None) -> Json:
        """The chat event of the message.

        A given answer (a few-shot example) names no run: the server would take it for the answer that the run streams.
        """
        run = self.run
        is_example = self.given and self.message["role"] in ANSWERS
        about = {
            "agent_id": run.get("agent_id") or run.get("team_id") or run.get("workflow_id"),
            "agent_name": run.get("agent_name"),
            "team_name": run.get("team_name"),
            "user_id": run.get("user_id") or user_id,
            "run_id": run.get("run_id") if not is_example else None,
            "parent_run_id": run.get("parent_run_id") if not is_example else None,
            "model": run.get("model"),
            "model_provider": run.get("model_provider"),
        }
        return {"message": self.message, **{name: value for name, value in about.items() if value is not None}}


def print_of(message: Json) -> bytes:
    """Equal for equal messages, in whatever order their members are, and whether or not they came from history."""
    text = json.dumps(
        {name: value for name, value in message.items() if name != "from_history"}, sort_keys=True, allow_nan=False
    )
    return hashlib.sha256(text.encode()).digest()


def plain(value: Any, default: JsonDefault | None) -> Any:
    """The value as it comes back from the server: lists, dicts, texts and numbers and nothing else."""
    return json.loads(to_json(value, default))


def spoken_in(run: Json) -> Iterator[Spoken]:
    """The messages of a run that can stand in the log. The runs inside it stand after its question."""
    own = _own_messages(run)
    question = _before_answers(own)
    yield from question
    for inner in _inner_runs(run):
        yield from spoken_in({"parent_run_id": run.get("run_id"), **inner})
    yield from own[len(question) :]


def question_of(run: Json) -> list[Spoken]:
    """The messages of a run before its first answer."""
    return _before_answers(_own_messages(run))


def ancestors_of(run_id: Any, parents: Mapping[Any, Any]) -> list[Any]:
    """The runs above a run, the topmost first. `parents`: the parent of each known run."""
    above: list[Any] = []
    parent = parents.get(run_id)
    while parent in parents and parent not in (run_id, *above):
        above.insert(0, parent)
        parent = parents.get(parent)
    return above


def document_of(run: Json, stands: Callable[[Json], bool]) -> Json:
    """The run with ids in place of those messages that stand in the log as they are; the others stay in it."""
    document = dict(run)
    media: dict[str, list[Any]] = {}
    said: dict[str, str] = {}
    if "messages" in run:
        entries: list[Any] = []
        for message in run["messages"] or []:
            if not _can_stand(message) or not stands(message):
                entries.append(message)
                continue
            entries.append({"ref": message["id"], "from_history": bool(message.get("from_history"))})
            media.update(_media_of(message))
            if isinstance(message.get("content"), str):
                said[message["content"]] = message["id"]
        document["messages"] = entries
    for name in NESTED_RUNS:
        if run.get(name):
            document[name] = [document_of(inner, stands) if isinstance(inner, dict) else inner for inner in run[name]]
    for name, value in document.items():
        if name != "messages" and name not in NESTED_RUNS:
            document[name] = _without_media(value, media) if media else value
    _refer(document, "content", said)
    if isinstance(document.get("input"), dict):
        document["input"] = dict(document["input"])
        _refer(document["input"], "input_content", said)
    return document


def ids_in(document: Json) -> Iterator[str]:
    """The messages that a document needs from the log."""
    for entry in document.get("messages") or []:
        if "ref" in entry:
            yield entry["ref"]
    for inner in _inner_runs(document):
        yield from ids_in(inner)


def run_of(document: Json, texts: Mapping[str, str]) -> Json:
    """The run again, with its messages, which are given as JSON. One that is gone from the log is gone from the run."""
    # Read anew for each run: Agno's from_dict puts objects into the dicts that it is given.
    messages = {each: json.loads(texts[each]) for each in set(ids_in(document)) if each in texts}
    return _run_of(document, messages)


def _run_of(document: Json, messages: dict[str, Json]) -> Json:
    run: Json = {}
    for name, value in document.items():
        if name == "messages":
            run[name] = [each for each in (_message_of(entry, messages) for entry in value or []) if each is not None]
        elif name == "content":
            run[name] = _said(value, messages)
        elif name == "input" and isinstance(value, dict):
            run[name] = _with_media(value, messages)
            if "input_content" in value:
                run[name]["input_content"] = _said(value["input_content"], messages)
        elif name in NESTED_RUNS and value:
            run[name] = [_run_of(inner, messages) if isinstance(inner, dict) else inner for inner in value]
        else:
            run[name] = _with_media(value, messages)
    return run


def _refer(holder: Json, name: str, said: dict[str, str]) -> None:
    """A run repeats what was asked and what was answered. By reference it is kept once, and erased with its message."""
    if isinstance(holder.get(name), str) and holder[name] in said:
        holder[name] = {SAID: said[holder[name]]}


def _said(value: Any, messages: dict[str, Json]) -> Any:
    if isinstance(value, dict) and list(value) == [SAID]:
        return messages.get(value[SAID], {}).get("content", "")
    return value


def _own_messages(run: Json) -> list[Spoken]:
    given = set(_given_ids(run))
    return [
        Spoken(each, run, print_of(each), each["id"] in given) for each in run.get("messages") or [] if _can_stand(each)
    ]


def _given_ids(run: Json) -> Iterator[str]:
    """The messages of an agent's `additional_input`, and of an input that is a list of messages."""
    asked = run.get("input")
    content = asked.get("input_content") if isinstance(asked, dict) else None
    for messages in (run.get("additional_input"), content):
        for each in messages if isinstance(messages, list) else []:
            if isinstance(each, dict) and isinstance(each.get("id"), str):
                yield each["id"]


def _before_answers(messages: list[Spoken]) -> list[Spoken]:
    return list(takewhile(lambda each: not each.answers, messages))


def _inner_runs(run: Json) -> Iterator[Json]:
    for name in NESTED_RUNS:
        for inner in run.get(name) or []:
            if isinstance(inner, dict):
                yield inner


def _can_stand(message: Any) -> bool:
    return (
        isinstance(message, dict)
        and isinstance(message.get("id"), str)
        and 0 < len(message["id"]) <= LONGEST_ID
        and isinstance(message.get("role"), str)
    )


def _message_of(entry: Json, messages: dict[str, Json]) -> Json | None:
    if "ref" not in entry:
        return entry
    message = messages.get(entry["ref"])
    if message is None:
        return None
    return {**message, "from_history": entry["from_history"]}


def _media_of(message: Json) -> Iterator[tuple[str, list[Any]]]:
    for name in MEDIA_LISTS:
        for index, item in enumerate(message.get(name) or []):
            content = item.get("content") if isinstance(item, dict) else None
            if isinstance(content, str) and len(content) >= LEAST_MEDIUM:
                yield content, [message["id"], name, index]


def _without_media(value: Any, media: dict[str, list[Any]]) -> Any:
    """Agno keeps a run's media up to three times. What a message has is not kept again."""
    if isinstance(value, list):
        return [_without_media(each, media) for each in value]
    if isinstance(value, dict):
        return {name: _without_media(each, media) for name, each in value.items()}
    if isinstance(value, str) and len(value) >= LEAST_MEDIUM and value in media:
        return {MEDIUM: media[value]}
    return value


def _with_media(value: Any, messages: dict[str, Json]) -> Any:
    if isinstance(value, list):
        return [_with_media(each, messages) for each in value]
    if not isinstance(value, dict):
        return value
    item: Json = {}
    for name, each in value.items():
        if isinstance(each, dict) and list(each) == [MEDIUM]:
            item.update(_source_of(name, each[MEDIUM], messages))
        else:
            item[name] = _with_media(each, messages)
    return item


def _source_of(name: str, place: list[Any], messages: dict[str, Json]) -> Json:
    """The content of a medium, or where it is to be had if messages were read without their media."""
    message_id, kind, index = place
    try:
        item = messages[message_id][kind][index]
    except (KeyError, IndexError, TypeError):
        return {}
    if "content" in item:
        return {name: item["content"]}
    return {source: item[source] for source in ("url", "media_reference") if source in item}

"""Sessions: messages exactly as they were given, the runs that they came from, and what else is kept of a session."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from parley.errors import ParleyError
from parley.runs import RunStream
from parley.wire import JsonDefault, Wire, path, to_json

Media = Literal["inline", "url", "reference"]
# A message as Agno has it (anything with to_dict) or as a dict.
AnyMessage = Mapping[str, Any] | Any

PAGE = 200
# The server takes up to 1,000 events and 32 MB in one post; fewer bytes make a retry cheaper.
BATCH_EVENTS = 500
BATCH_BYTES = 8_000_000


@dataclass(frozen=True)
class Document:
    """What a client keeps of a session. Version 0 and an empty document: nothing is kept yet."""

    version: int
    document: dict[str, Any]


def as_dict(given: AnyMessage) -> dict[str, Any]:
    """A dict of what is a dict already, or has to_dict() as Agno's classes do."""
    if isinstance(given, Mapping):
        return dict(given)
    return given.to_dict()


class Sessions:
    """The sessions of whoever calls. Everything here may be repeated: messages, runs and documents have ids."""

    def __init__(self, wire: Wire):
        self._wire = wire

    # --- Messages ---

    def append(
        self,
        session_id: str,
        messages: AnyMessage | Sequence[AnyMessage],
        *,
        agent_id: str | None = None,
        agent_name: str | None = None,
        team_name: str | None = None,
        user_id: str | None = None,
        run_id: str | None = None,
        parent_run_id: str | None = None,
        model: str | None = None,
        model_provider: str | None = None,
        default: JsonDefault | None = None,
    ) -> list[dict[str, Any]]:
        """Appends messages in one step, and returns their rows. A known id with the same message changes nothing."""
        given = messages if isinstance(messages, (list, tuple)) else [messages]
        about = {
            "agent_id": agent_id,
            "agent_name": agent_name,
            "team_name": team_name,
            "user_id": user_id,
            "run_id": run_id,
            "parent_run_id": parent_run_id,
            "model": model,
            "model_provider": model_provider,
        }
        about = {name: value for name, value in about.items() if value is not None}
        return self.append_events(session_id, [{"message": as_dict(each), **about} for each in given], default=default)

    def append_events(
        self, session_id: str, events: Sequence[Mapping[str, Any]], *, default: JsonDefault | None = None
    ) -> list[dict[str, Any]]:
        """Appends events that each say who speaks. More than the server takes at once go in several posts."""
        rows: list[dict[str, Any]] = []
        for body in _batches(events, default):
            rows += self._wire.call("POST", path(session_id, "chat-events"), body).body["chat_events"]
        return rows

    def messages(
        self,
        session_id: str,
        last: int | None = None,
        *,
        before_seq: int | None = None,
        media: Media | None = None,
        tools: Literal["safe"] | None = None,
        statuses: Iterable[str] | None = None,
    ) -> list[dict[str, Any]]:
        """The last messages, oldest first, ready for `Message.from_dict`."""
        query = {
            "last": last,
            "before_seq": before_seq,
            "media": media,
            "tools": tools,
            "statuses": ",".join(statuses) if statuses is not None else None,
        }
        return self._wire.call("GET", path(session_id, "messages"), query=query).body

    def chat_events(
        self, session_id: str, *, after_seq: int = 0, media: Media | None = None, page: int = PAGE
    ) -> Iterator[dict[str, Any]]:
        """All rows behind a position, oldest first, page by page."""
        while True:
            query = {"after_seq": after_seq, "limit": page, "media": media}
            answer = self._wire.call("GET", path(session_id, "chat-events"), query=query).body
            yield from answer["chat_events"]
            if not answer["has_more"]:
                return
            after_seq = answer["next_after_seq"]

    def chat_events_before(
        self, session_id: str, *, before_seq: int | None = None, media: Media | None = None, page: int = PAGE
    ) -> Iterator[list[dict[str, Any]]]:
        """Pages of rows from the newest back to the oldest. Within a page the order is that of the session.

        A page may be empty with others behind it, where very many messages were deleted.
        """
        while True:
            query = {"before_seq": before_seq, "limit": page, "media": media}
            answer = self._wire.call("GET", path(session_id, "chat-events"), query=query).body
            yield answer["chat_events"]
            if not answer["has_more"]:
                return
            before_seq = answer["next_before_seq"]

    def import_(
        self,
        session_id: str,
        events: Sequence[Mapping[str, Any]],
        *,
        title: str | None = None,
        default: JsonDefault | None = None,
    ) -> list[dict[str, Any]]:
        """Appends messages of old with their own times (`created_at` of each event). Starts no runs."""
        rows: list[dict[str, Any]] = []
        for body in _batches(events, default, {} if title is None else {"title": title}):
            rows += self._wire.call("POST", path(session_id, "import"), body).body["chat_events"]
        return rows

    # --- Runs ---

    def run(self, session_id: str, run_id: str | None = None, **about: Any) -> RunStream:
        """A run whose events viewers see live. Without a run_id it is the one that the first event names."""
        return RunStream(self._wire, session_id, run_id, **about)

    def stop(self, session_id: str, run_id: str | None = None) -> dict[str, Any]:
        """Asks a run to stop, or all runs of the session: `{"status": …, "stopped": [run_id…]}`."""
        body = to_json({} if run_id is None else {"run_id": run_id})
        return self._wire.call("POST", path(session_id, "stop"), body).body

    def runs(self, session_id: str, *, page: int = PAGE) -> Iterator[dict[str, Any]]:
        """The session's runs in the order in which they were made, without their documents."""
        yield from self._pages(path(session_id, "runs"), "runs", {"limit": page})

    def run_document(self, session_id: str, run_id: str) -> dict[str, Any] | None:
        """A run with its `document` and the ids of its `children`; None if there is no such run."""
        return self._found(path(session_id, "runs", run_id))

    def put_run(
        self,
        session_id: str,
        run_id: str,
        document: Mapping[str, Any],
        *,
        version: int | None = None,
        default: JsonDefault | None = None,
    ) -> dict[str, Any]:
        """Keeps a run's document. With a version it is refused if somebody else has written since."""
        target = path(session_id, "runs", run_id)
        if version is not None:
            return self._compare_and_set(target, document, version, default)
        # Without a version the last writer wins, so writing twice is writing once.
        return self._wire.call("PUT", target, to_json({"document": document}, default)).body

    # --- The session itself ---

    def document(self, session_id: str) -> Document:
        """What is kept of the session; version 0 and empty if there is nothing or no such session."""
        answer = self._found(path(session_id, "document"))
        return Document(0, {}) if answer is None else Document(answer["version"], answer["document"])

    def put_document(
        self, session_id: str, document: Mapping[str, Any], version: int, *, default: JsonDefault | None = None
    ) -> int:
        """Replaces what is kept, if it still has this version (0: there is none). Returns the new version.

        If somebody else was faster, this raises ParleyError `document-changed` with the member `current_version`.
        """
        return self._compare_and_set(path(session_id, "document"), document, version, default)["version"]

    def list(self, *, archived: bool | None = None, q: str | None = None, page: int = PAGE) -> Iterator[dict[str, Any]]:
        """The caller's sessions, the one with the latest activity first."""
        yield from self._pages(path(), "sessions", {"limit": page, "archived": archived, "q": q})

    def find(self, session_id: str) -> dict[str, Any] | None:
        """The session's name, times and counters; None if there is no such session."""
        return self._found(path(session_id))

    def rename(self, session_id: str, name: str) -> dict[str, Any]:
        return self._wire.call("PATCH", path(session_id), to_json({"session_name": name})).body

    def delete(self, session_id: str) -> bool:
        """Deletes a session for good; its id stays taken. False if there was none."""
        try:
            self._wire.call("DELETE", path(session_id))
            return True
        except ParleyError as failure:
            if failure.status != 404:
                raise
            return False

    def metrics(self, session_id: str) -> dict[str, Any]:
        """Tokens and costs, summed by the server from what each run reported."""
        return self._wire.call("GET", path(session_id, "metrics")).body

    def _compare_and_set(
        self, target: str, document: Mapping[str, Any], version: int, default: JsonDefault | None
    ) -> dict[str, Any]:
        body = to_json({"document": document, "version": version}, default)
        try:
            return self._wire.call("PUT", target, body, repeatable=False).body
        except ParleyError as failure:
            if not failure.is_passing:
                raise
        # Perhaps it was written and only its answer got lost. Then asking again is a conflict with ourselves.
        try:
            return self._wire.call("PUT", target, body).body
        except ParleyError as failure:
            now = self._found(target) if failure.slug == "document-changed" else None
            if now is None or now["version"] != version + 1 or to_json(now["document"]) != to_json(document, default):
                raise
            return now

    def _found(self, target: str) -> dict[str, Any] | None:
        try:
            return self._wire.call("GET", target).body
        except ParleyError as failure:
            if failure.status != 404:
                raise
            return None

    def _pages(self, target: str, member: str, query: dict[str, Any]) -> Iterator[dict[str, Any]]:
        cursor = None
        while True:
            answer = self._wire.call("GET", target, query={**query, "cursor": cursor}).body
            yield from answer[member]
            cursor = answer["next_cursor"]
            if cursor is None:
                return


def _batches(
    events: Sequence[Mapping[str, Any]], default: JsonDefault | None, about: Mapping[str, Any] | None = None
) -> Iterator[bytes]:
    """Bodies of bounded size. All are made before the first is sent, so that what is no JSON stops everything."""
    texts = [to_json(event, default) for event in events]
    begin = b"{" + (to_json(about)[1:-1] + b"," if about else b"") + b'"chat_events":['
    batches: list[list[bytes]] = []
    size = 0
    for text in texts:
        if not batches or len(batches[-1]) >= BATCH_EVENTS or size + len(text) > BATCH_BYTES:
            batches.append([])
            size = 0
        batches[-1].append(text)
        size += len(text)
    for batch in batches:
        yield begin + b",".join(batch) + b"]}"

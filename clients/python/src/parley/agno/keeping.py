"""Writes runs into a session and reads them back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from parley.agno.documents import (
    DELETED,
    Json,
    Spoken,
    document_of,
    ids_in,
    plain,
    print_of,
    question_of,
    run_of,
    spoken_in,
)
from parley.agno.hearing import Messages, Recent
from parley.errors import ParleyError
from parley.sessions import Media, Sessions
from parley.wire import JsonDefault

# How messages get into a session.
Write = Callable[[str, list[Json]], list[Json]]

KNOWN_MESSAGES = 100_000
KNOWN_DOCUMENTS = 2_000
READERS = 4
# Runs in these states are no part of what a model is told. Agno's list, in the server's words.
OUT_OF_CONTEXT = {"paused", "cancelled", "error", "failed", "regenerated"}


@dataclass(frozen=True)
class Loaded:
    """A run that was read. Making a dict of it is left to who needs one."""

    version: int
    document: Json
    texts: Mapping[str, str]
    # Another one: messages of the session were changed.
    generation: int

    @property
    def id(self) -> str:
        return self.document.get("run_id", "")

    def run(self) -> Json:
        return run_of(self.document, self.texts)


class Runs:
    """The runs of sessions.

    A message goes into the log once, under its own id; the documents of runs refer to it. A message that Agno changed
    after it was written (the log keeps what was said first) stays whole in the document of the run that changed it.
    """

    def __init__(self, sessions: Sessions, media: Media, default: JsonDefault | None, write: Write | None = None):
        self._sessions = sessions
        self._write = write or sessions.append_events
        self._messages = Messages(sessions, media)
        self._default = default
        # What stands in the log: (session, message) to the print of the message.
        self._known: Recent[tuple[str, str], bytes] = Recent(KNOWN_MESSAGES)
        self._documents: Recent[tuple[str, str], tuple[int, Json]] = Recent(KNOWN_DOCUMENTS)
        self._session_of: Recent[str, str] = Recent(KNOWN_MESSAGES)
        # Runs that were being watched when they were saved: their answers are in their documents for now.
        self._unsettled: Recent[str, dict[str, tuple[Json, str | None]]] = Recent(KNOWN_DOCUMENTS)

        # Sessions in which runs are being watched, and what sends the events of each.
        self._watched: list[tuple[str, Callable[[], None]]] = []

    # --- Writing ---

    def watch(self, session_id: str, flush: Callable[[], None]) -> Callable[[], None]:
        """Calls `flush` before anything is said in the session, until what this returns is called.

        The server must know of a run before it is told the run's messages: else it cannot know what was streamed.
        """
        self._watched.append((session_id, flush))
        return lambda: self._watched.remove((session_id, flush))

    def ask(self, session_id: str, run: Json, user_id: str | None = None) -> None:
        """Appends a run's question, which has to stand before everything that the run and its members say."""
        asked = question_of(plain(run, self._default))
        try:
            self._post(session_id, self._unknown(session_id, asked), user_id)
        except ParleyError as failure:
            if failure.slug != "key-reused":
                raise
            # Another process has written the question, or Agno has changed it since; saving the run finds out which.
            self._learn(session_id, [each.id for each in asked])

    def save(self, session_id: str, run: Json, user_id: str | None = None, version: int | None = None) -> int:
        """Writes what is new of a run, and its document. Returns the document's version."""
        run = plain(run, self._default)
        run_id = run.get("run_id")
        if not run_id:
            raise ValueError("A run without a run_id cannot be kept.")
        for flush in [flush for watched, flush in self._watched if watched == session_id]:
            flush()
        if not self._append(session_id, list(spoken_in(run)), user_id):
            waiting = self._unsettled.get(session_id) or {}
            self._unsettled.put(session_id, {**waiting, run_id: (run, user_id)})
        document = document_of(run, lambda message: self._stands(session_id, message))
        kept = self._sessions.put_run(session_id, run_id, document, version=version)
        self._documents.put((session_id, run_id), (kept["version"], document))
        self._session_of.put(run_id, session_id)
        return kept["version"]

    def settle(self, session_id: str) -> None:
        """Writes the answers of runs that were still being watched when they were saved, if they have ended now."""
        waiting = self._unsettled.get(session_id)
        if waiting:
            self._unsettled.drop(session_id)
            for run, user_id in waiting.values():
                self.save(session_id, run, user_id)

    def delete(self, session_id: str, run_id: str) -> bool:
        """Takes a run out of its session. Its messages stay in the log, where nothing is taken back silently."""
        kept = self._sessions.run_document(session_id, run_id)
        if kept is None or not _is_there(kept.get("document")):
            return False
        self._sessions.put_run(session_id, run_id, {DELETED: True})
        self._documents.drop((session_id, run_id))
        return True

    def _append(self, session_id: str, spoken: Sequence[Spoken], user_id: str | None) -> bool:
        """Appends what the log has not. False if some of it has to wait until its run has ended."""
        old = [each.id for each in spoken if each.from_history and self._known.get((session_id, each.id)) is None]
        if old:
            self._learn(session_id, old)
        new = self._unknown(session_id, spoken)
        try:
            self._post(session_id, new, user_id)
            return True
        except ParleyError as failure:
            if failure.slug == "key-reused":
                # Another process has written some of these, or Agno has changed them since.
                self._learn(session_id, [each.id for each in new])
                self._post(session_id, self._unknown(session_id, new), user_id)
                return True
            if failure.slug != "run-active":
                raise
        self._post(session_id, [each for each in new if not each.answers], user_id)
        return False

    def _unknown(self, session_id: str, spoken: Sequence[Spoken]) -> list[Spoken]:
        """Each message once. What came from history and is not in this log is another session's."""
        new = {
            each.id: each for each in spoken if not each.from_history and self._known.get((session_id, each.id)) is None
        }
        return list(new.values())

    def _post(self, session_id: str, spoken: Sequence[Spoken], user_id: str | None) -> None:
        if spoken:
            rows = self._write(session_id, [each.event(user_id) for each in spoken])
            self._messages.note(session_id, rows, {each.id: each.message for each in spoken})
            for each in spoken:
                self._known.put((session_id, each.id), each.print)

    def _stands(self, session_id: str, message: Json) -> bool:
        return self._known.get((session_id, message["id"])) == print_of(message)

    def _learn(self, session_id: str, ids: Iterable[str]) -> None:
        for message_id, text in self._messages.some(session_id, set(ids), "inline").items():
            self._known.put((session_id, message_id), print_of(json.loads(text)))

    # --- Reading ---

    def load(self, session_id: str, last: int | None = None) -> list[Loaded]:
        """A session's runs in their order. With `last`: so many of the newest that belong to what a model is told."""
        self.settle(session_id)
        rows = [row for row in self._sessions.runs(session_id) if row["version"]]
        if last is None:
            found = self._there(session_id, rows)
            heard = self._messages.of(session_id, _ids(found))
            return [Loaded(version, document, heard.texts, heard.generation) for document, version in found]
        rows = [row for row in rows if row["parent_run_id"] is None and row["status"] not in OUT_OF_CONTEXT]
        found = []
        # Some more than asked for, since a row does not say whether its run was deleted.
        size = last + 2
        for end in range(len(rows), 0, -size):
            found = self._there(session_id, rows[max(0, end - size) : end]) + found
            if len(found) >= last:
                break
        found = found[-last:] if last else []
        texts = self._messages.some(session_id, _ids(found))
        return [Loaded(version, document, texts, 0) for document, version in found]

    def load_one(self, session_id: str, run_id: str) -> Loaded | None:
        kept = self._sessions.run_document(session_id, run_id)
        if kept is None or not _is_there(kept.get("document")):
            return None
        self._session_of.put(run_id, session_id)
        document = kept["document"]
        return Loaded(kept["version"], document, self._messages.some(session_id, set(ids_in(document))), 0)

    def session_of(self, run_id: str) -> str | None:
        """Whose run it is. One that this process has not seen is looked for, beginning with the latest session."""
        known = self._session_of.get(run_id)
        if known is not None:
            return known
        for session in self._sessions.list():
            if self._sessions.run_document(session["session_id"], run_id) is not None:
                self._session_of.put(run_id, session["session_id"])
                return session["session_id"]
        return None

    def _there(self, session_id: str, rows: Sequence[Json]) -> list[tuple[Json, int]]:
        """Documents of runs that were not deleted. They are read again only if their version has changed."""

        def read(row: Json) -> tuple[Json, int]:
            key = (session_id, row["run_id"])
            self._session_of.put(row["run_id"], session_id)
            cached = self._documents.get(key)
            if cached is not None and cached[0] == row["version"]:
                return cached[1], cached[0]
            kept = self._sessions.run_document(session_id, row["run_id"]) or {"version": 0, "document": None}
            self._documents.put(key, (kept["version"], kept["document"]))
            return kept["document"], kept["version"]

        unread = sum(self._documents.get((session_id, row["run_id"])) is None for row in rows)
        if unread < READERS:
            documents = [read(row) for row in rows]
        else:
            with ThreadPoolExecutor(READERS) as pool:
                documents = list(pool.map(read, rows))
        return [each for each in documents if _is_there(each[0])]


def _is_there(document: Any) -> bool:
    return isinstance(document, dict) and not document.get(DELETED)


def _ids(documents: Sequence[tuple[Json, int]]) -> set[str]:
    return {each for document, _ in documents for each in ids_in(document)}

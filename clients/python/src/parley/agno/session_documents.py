"""What is kept of a session besides its runs: one document, which several processes may change."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from parley.agno.documents import Json, plain
from parley.agno.hearing import Recent
from parley.agno.merging import merged
from parley.agno.shapes import Session, as_json, name_of, row_of
from parley.errors import ParleyError
from parley.sessions import Sessions
from parley.wire import pause_before

CONFLICTS = 30
NEW_SESSIONS = 256


@dataclass
class Kept:
    """What this process knows of a session's document. Copies of a session share it."""

    version: int = 0
    document: Json = field(default_factory=dict)
    session_data: Any = None


class SessionDocuments:
    """Reads and writes the documents of sessions. `shared`: a session is open to others than the user who began it."""

    def __init__(self, sessions: Sessions, shared: bool):
        self._sessions = sessions
        self._shared = shared
        self._new: Recent[int, Kept] = Recent(NEW_SESSIONS)

    # --- Reading ---

    def find(self, session_id: str, user_id: str | None = None) -> Kept | None:
        """The document, if there is one and the user may see it."""
        kept = self._read(session_id)
        return kept if kept.version and self.is_open_to(kept.document, user_id) else None

    def all(self) -> Iterator[tuple[str, Kept]]:
        """The sessions that have a document, by id."""
        for row in self._sessions.list():
            kept = self._read(row["session_id"])
            if kept.version:
                yield row["session_id"], kept

    def is_free_for(self, session_id: str, user_id: str | None) -> bool:
        """Whether the user may speak in the session, or begin it."""
        return self.is_open_to(self._read(session_id).document, user_id)

    def is_open_to(self, document: Json, user_id: str | None) -> bool:
        owner = document.get("user_id")
        return self._shared or user_id is None or owner is None or owner == user_id

    def known_of(self, session: Session) -> Kept:
        """What is known of the session's document. Agno saves copies of sessions, which share their session_data."""
        kept = getattr(session, "parley", None)
        if isinstance(kept, Kept):
            return kept
        kept = self._new.get(id(session.session_data))
        if kept is None or kept.session_data is not session.session_data:
            kept = Kept(session_data=session.session_data)
            self._new.put(id(session.session_data), kept)
        session.parley = kept  # type: ignore[union-attr]
        return kept

    # --- Writing ---

    def write(self, session: Session, known: Kept) -> None:
        """Writes what has changed of a session since it was known like this, and what is known then."""
        session_id, base, ours = session.session_id, known.document, plain(row_of(session), as_json)
        if known.version and _unchanged(base, ours):
            return

        def with_ours(theirs: Json) -> Json:
            if theirs is base:
                return ours
            if not self.is_open_to(theirs, ours.get("user_id")):
                raise PermissionError(
                    f"The session {session_id} was begun by another user, so this run is not kept. "
                    "ParleyDb(…, shared_sessions=True) lets several users speak in one session."
                )
            return {**merged(base, ours, theirs), "user_id": theirs.get("user_id") or ours.get("user_id")}

        written = self._replacing(session_id, known, with_ours)
        if name_of(written.document) and name_of(written.document) != name_of(base):
            self._sessions.rename(session_id, name_of(written.document))
        known.version, known.document = written.version, written.document

    def rename(self, session_id: str, name: str, user_id: str | None) -> bool:
        """False if there is no such session that the user may see."""
        known = self.find(session_id, user_id)
        if known is None:
            return False

        def named(theirs: Json) -> Json:
            return {**theirs, "session_data": {**(theirs.get("session_data") or {}), "session_name": name}}

        self._replacing(session_id, known, named)
        self._sessions.rename(session_id, name)
        return True

    def _replacing(self, session_id: str, known: Kept, change: Callable[[Json], Json]) -> Kept:
        """Replaces a document by its change. Whenever somebody else was faster, theirs is what is changed."""
        for attempt in range(1, CONFLICTS + 1):
            document = {**change(known.document), "updated_at": int(time.time())}
            try:
                return Kept(self._sessions.put_document(session_id, document, known.version), document)
            except ParleyError as failure:
                if failure.slug != "document-changed" or attempt == CONFLICTS:
                    raise
            time.sleep(min(pause_before(attempt) / 4, 0.5))
            known = self._read(session_id)
        raise AssertionError("the loop returns or raises")

    def _read(self, session_id: str) -> Kept:
        now = self._sessions.document(session_id)
        return Kept(now.version, now.document)


def _unchanged(before: Json, now: Json) -> bool:
    return {**before, "updated_at": None} == {**now, "updated_at": None}

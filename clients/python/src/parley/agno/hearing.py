"""Messages of sessions, read again only if something was said or changed since."""

from __future__ import annotations

import itertools
import json
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from parley.errors import ParleyError
from parley.sessions import Media, Sessions

Key = TypeVar("Key")
Value = TypeVar("Value")

SESSIONS_HEARD = 16
# Of one session, in characters. What is longer is read anew each time.
MOST_REMEMBERED = 16_000_000


class Recent(Generic[Key, Value]):
    """A map that forgets what was not used for longest. May be used by threads."""

    def __init__(self, most: int):
        self._most = most
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Key) -> Value | None:
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key]

    def put(self, key: Key, value: Value) -> None:
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._most:
                self._values.popitem(last=False)

    def drop(self, key: Key) -> None:
        with self._lock:
            self._values.pop(key, None)


@dataclass(frozen=True)
class Heard:
    """The messages of a session up to a position, as JSON texts by id. Another `generation`: something was changed."""

    upto: int
    texts: Mapping[str, str]
    generation: int


class Messages:
    """Reads messages of sessions.

    Every entry of a thread has its position, and there are no gaps between positions. A position without a message is
    therefore a change of an earlier one: an edit, a deletion, an erasure. Then everything is read again.
    """

    def __init__(self, sessions: Sessions, media: Media):
        self._sessions = sessions
        self._media: Media = media
        self._heard: Recent[str, Heard] = Recent(SESSIONS_HEARD)
        self._generations = itertools.count(1)

    def of(self, session_id: str, ids: set[str]) -> Heard:
        """All messages of a session; at least those of these ids, if they are there."""
        before = self._heard.get(session_id)
        heard = self._further(session_id, before) if before is not None else None
        if heard is None or not ids <= heard.texts.keys():
            heard = self._from_the_beginning(session_id)
        if sum(map(len, heard.texts.values())) <= MOST_REMEMBERED:
            self._heard.put(session_id, heard)
        else:
            self._heard.drop(session_id)
        return heard

    def note(self, session_id: str, rows: Sequence[dict[str, Any]], messages: Mapping[str, dict[str, Any]]) -> None:
        """Remembers what this process has said itself, if it stands right behind what it has heard."""
        before = self._heard.get(session_id)
        if before is None or self._media != "inline":
            return
        upto = before.upto
        new: dict[str, str] = {}
        for row in rows:
            if row["seq"] != upto + 1 or row["message_id"] not in messages:
                return
            upto = row["seq"]
            new[row["message_id"]] = json.dumps(messages[row["message_id"]])
        self._heard.put(session_id, Heard(upto, {**before.texts, **new}, before.generation))

    def some(self, session_id: str, ids: set[str], media: Media | None = None) -> dict[str, str]:
        """The messages of these ids: pages from the newest back, until all are found."""
        found: dict[str, str] = {}
        if not ids:
            return found
        try:
            for page in self._sessions.chat_events_before(session_id, media=media or self._media):
                found.update((row["message_id"], _text(row)) for row in page if row["message_id"] in ids)
                if len(found) == len(ids):
                    break
        except ParleyError as failure:
            # A session that is not there yet has no messages.
            if failure.status != 404:
                raise
        return found

    def _further(self, session_id: str, before: Heard) -> Heard | None:
        session = self._sessions.find(session_id)
        if session is None:
            return None
        if session["last_seq"] == before.upto:
            return before
        new: dict[str, str] = {}
        upto = before.upto
        for row in self._sessions.chat_events(session_id, after_seq=before.upto, media=self._media):
            if row["seq"] > upto + 1:
                return None
            upto = row["seq"]
            new[row["message_id"]] = _text(row)
        return Heard(upto, {**before.texts, **new}, before.generation) if upto >= session["last_seq"] else None

    def _from_the_beginning(self, session_id: str) -> Heard:
        session = self._sessions.find(session_id)
        upto = session["last_seq"] if session is not None else 0
        texts: dict[str, str] = {}
        if session is not None:
            for row in self._sessions.chat_events(session_id, media=self._media):
                upto = max(upto, row["seq"])
                texts[row["message_id"]] = _text(row)
        return Heard(upto, texts, next(self._generations))


def _text(row: dict[str, Any]) -> str:
    return json.dumps(row["message_data"])

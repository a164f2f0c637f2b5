"""One thread: post to it, read it, follow it, change it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from parley.cursor import Cursor
from parley.messages import PAGE, Messages
from parley.sse import Frame
from parley.stream import Format, Stream
from parley.threads import THREADS
from parley.types.chat import (
    Actor,
    EventEnvelope,
    EventPage,
    JsonObject,
    ParticipationMode,
    PostedMessage,
    ThreadView,
    Typing,
)
from parley.wire import Wire, to_json, under

EventStream = Stream[Cursor, EventEnvelope]

_ENVELOPES: Format[Cursor, EventEnvelope] = Format(
    position=Cursor.parse,
    follows=Cursor.follows,
    event=lambda _, frame: frame.json_object(),
)


class ThreadClient:
    """A thread by its id. Holds no state and no connection, so that creating one costs nothing."""

    def __init__(self, wire: Wire, thread_id: str):
        self.id = thread_id
        self._wire = wire
        self._path = under(THREADS, thread_id)
        self.messages = Messages(wire, self._path)

    def get(self) -> ThreadView:
        return self._wire.call("GET", self._path).body

    def rename(self, title: str) -> ThreadView:
        return self._change(self._path, {"title": title})

    def archive(self, archived: bool = True) -> None:
        """An archived thread can be read, but takes no posts."""
        self._change(under(self._path, "archive"), {"archived": archived})

    def delete(self) -> None:
        """Deletes the thread for good; its id stays taken."""
        self._wire.remove(self._path)

    def mark_read(self, seq: int | None = None) -> int:
        """Marks the thread as read up to a seq, or to its end. The marker never moves back; returns where it stands."""
        return self._change(under(self._path, "read"), {} if seq is None else {"seq": seq})["last_read_seq"]

    def post(self, content: str, **about: Any) -> PostedMessage:
        """As `messages.post`."""
        return self.messages.post(content, **about)

    def post_as_agent(self, content: str, **about: Any) -> PostedMessage:
        """As `messages.post_as_agent`."""
        return self.messages.post_as_agent(content, **about)

    def add_participants(self, sender_ids: Sequence[Actor]) -> ThreadView:
        """Adds participants; those who are in the thread already stay as they are."""
        body = to_json({"sender_ids": list(sender_ids)})
        return self._wire.call("POST", under(self._path, "participants"), body).body

    def allow(self, sender_id: Actor, capabilities: Sequence[str]) -> ThreadView:
        """Sets all that a participant may do from now on, such as `can_read`."""
        body = to_json({"capabilities": list(capabilities)})
        return self._wire.call("PATCH", under(self._path, "participants", sender_id), body).body

    def remove_participant(self, sender_id: Actor) -> None:
        """Removes a participant. Callers who remove themselves leave the thread."""
        self._wire.remove(under(self._path, "participants", sender_id))

    def set_mode(self, mode: ParticipationMode | None, agent_id: str | None = None) -> None:
        """Sets when the thread's agents answer, or when one of them does. None gives an agent the thread's mode."""
        body = to_json({"participation_mode": mode, "agent_id": agent_id})
        self._wire.call("POST", under(self._path, "mode"), body)

    def typing(self, status: Literal["started", "stopped"] = "started") -> None:
        """Tells the followers of the thread that the caller is writing. Sent once, and stored nowhere."""
        self._wire.call("POST", under(self._path, "typing"), to_json({"status": status}), repeatable=False)

    def poll(self, after: int | str = 0, *, limit: int | None = None, wait: float | None = None) -> EventPage:
        """Events after a seq or an event id. `wait` is how many seconds to wait for the first one, at most 30."""
        query = {"after_seq": after, "limit": limit, "wait": wait}
        return self._wire.call("GET", under(self._path, "events"), query=query, extra_wait=wait or 0.0).body

    def end(self) -> str:
        """The cursor after everything that has happened so far: following from here gives only what is new."""
        end = str(self.get()["last_seq"])
        while True:
            page = self.poll(end, limit=PAGE)
            end = page["events"][-1]["event_id"] if page["events"] else end
            if not page["has_more"]:
                return end

    def follow(
        self,
        after: int | str,
        *,
        on_typing: Callable[[Typing], None] | None = None,
        on_open: Callable[[], None] | None = None,
        patience: float | None = None,
    ) -> EventStream:
        """Every event after a seq or an event id, once and in order, as long as the loop goes on.

        0 is the thread's beginning, `thread.end()` its end. `on_typing` is told of participants who write; nothing of
        that is stored or repeated. `patience` is how many seconds to keep trying while no connection stands.
        """
        begin = Cursor.parse(str(after))
        if begin is None:
            raise ValueError(f"`after` is {after!r}, which is neither a seq nor an event id such as 12 or '12-457'.")

        def on_frame(frame: Frame) -> None:
            if frame.event == "typing" and on_typing is not None:
                on_typing(frame.json_object())

        target = under(self._path, "events", "stream")
        return Stream(self._wire, target, _ENVELOPES, begin, on_frame=on_frame, on_open=on_open, patience=patience)

    def _change(self, target: str, members: JsonObject) -> Any:
        return self._wire.call("PATCH", target, to_json(members)).body

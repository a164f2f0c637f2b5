"""Server-sent events, parsed by the WHATWG HTML standard: https://html.spec.whatwg.org/multipage/server-sent-events.html"""

from __future__ import annotations

import codecs
import json
import re
from dataclasses import dataclass
from typing import Any

MAX_FRAME_CHARACTERS = 16 * 1024 * 1024
_LINE_END = re.compile(r"\r\n|\r|\n")
_MILLISECONDS = re.compile(r"[0-9]{1,9}", re.ASCII)


class UnreadableFrame(Exception):
    """The data of a frame is not what the server's document says of it."""


@dataclass(frozen=True)
class Frame:
    """One frame of an event stream. `has_id`: the frame brought an id of its own."""

    event: str
    data: str
    last_event_id: str
    has_id: bool

    def json_object(self) -> Any:
        """The data, if it is a JSON object; raises UnreadableFrame if not."""
        try:
            value = json.loads(self.data)
        except (ValueError, RecursionError) as failure:
            raise UnreadableFrame(f"its data is no JSON: {failure}") from failure
        if not isinstance(value, dict):
            raise UnreadableFrame(f"its data is a {type(value).__name__} and no JSON object")
        return value


class SseReader:
    """Takes the bytes of a stream as they arrive, and returns each frame as soon as its last line ends."""

    def __init__(self, max_frame: int = MAX_FRAME_CHARACTERS):
        # Removes a byte order mark, and joins characters that two chunks share.
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._max_frame = max_frame
        self._line: list[str] = []
        self._line_size = 0
        self._after_carriage_return = False
        self._data: list[str] = []
        self._event = ""
        self._id = ""
        self._has_id = False
        self._size = 0
        # The seconds that the server asks clients to wait before they reconnect.
        self.retry: float | None = None

    def feed(self, chunk: bytes) -> list[Frame]:
        frames: list[Frame] = []
        text = self._decoder.decode(chunk)
        if not text:
            return frames
        if self._after_carriage_return:
            text = text.removeprefix("\n")
        self._after_carriage_return = text.endswith("\r")
        *lines, rest = _LINE_END.split(text)
        for line in lines:
            self._end_line("".join([*self._line, line]), frames)
            self._line, self._line_size = [], 0
        self._line.append(rest)
        self._line_size += len(rest)
        self._check(self._line_size)
        return frames

    def _end_line(self, line: str, frames: list[Frame]) -> None:
        if not line:
            self._dispatch(frames)
        elif not line.startswith(":"):
            # Comments do not count towards a frame: heartbeats may go on for hours.
            self._size += len(line)
            self._check(0)
            name, _, value = line.partition(":")
            self._field(name, value.removeprefix(" "))

    def _check(self, pending: int) -> None:
        if self._size + pending > self._max_frame:
            raise ValueError(f"A frame of the event stream is longer than {self._max_frame} characters.")

    def _field(self, name: str, value: str) -> None:
        if name == "event":
            self._event = value
        elif name == "data":
            self._data.append(value)
        elif name == "id" and "\0" not in value:
            self._id, self._has_id = value, value != ""
        elif name == "retry" and _MILLISECONDS.fullmatch(value):
            self.retry = int(value) / 1000

    def _dispatch(self, frames: list[Frame]) -> None:
        if self._data:
            frames.append(Frame(self._event or "message", "\n".join(self._data), self._id, self._has_id))
        self._data, self._event, self._has_id, self._size = [], "", False, 0

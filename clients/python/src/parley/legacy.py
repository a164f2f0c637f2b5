"""Messages of the time when integrations put the sender in front of the text. To be removed after 2026-Q3."""

from __future__ import annotations

import re

# The opening of each source's prefix up to the sender's name, and the text that closes it after the name.
_PREFIXES = {
    "slack": (re.compile(r"\[Slack channel:[^ \r\n]+ user:"), "]"),
    "discord": (re.compile(r"\[Discord channel:[^ \r\n]+ user:"), "]"),
    "bluebubbles": (re.compile(r"\["), "]:"),
}
_LINE_END = re.compile(r"[\r\n]")


def strip_legacy_ingest_prefix(content: str | None, source: str | None) -> str:
    """The content without the sender and channel that its source's integration once put in front of it.

    For display only, and only for messages whose metadata says `legacy_prefix: true`: in other messages the sender
    typed it. None gives an empty text.
    """
    text = content or ""
    opening, closing = _PREFIXES.get(source or "", (None, ""))
    found = opening.match(text) if opening is not None else None
    if found is None:
        return text
    end = _prefix_end(_LINE_END.split(text, 1)[0], found.end(), closing)
    return text if end is None else text[end:].removeprefix(" ")


def _prefix_end(line: str, name_start: int, closing: str) -> int | None:
    """The end of the first closing outside the name's own brackets that a space or the line's end follows.

    A name with unpaired brackets may leave none; the prefix then ends at the first closing of all.
    """
    if line.startswith("]", name_start):
        return None
    depth = 0
    for at in range(name_start, len(line)):
        end = at + len(closing)
        if line[at] == "[":
            depth += 1
        elif line[at] == "]" and depth > 0:
            depth -= 1
        elif line.startswith(closing, at) and line[end : end + 1] in ("", " "):
            return end
    first = line.find(closing, name_start)
    return None if first < 0 else first + len(closing)

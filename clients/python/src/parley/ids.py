"""Ids that a client gives to what it creates."""

from __future__ import annotations

import os
import time
import uuid


def fresh_id(now: float | None = None) -> str:
    """A new UUIDv7 (RFC 9562). Ids made later sort after ids made earlier."""
    milliseconds = int((time.time() if now is None else now) * 1000)
    random = int.from_bytes(os.urandom(10), "big")
    version_7 = 0x7 << 76 | 0b10 << 62
    value = milliseconds << 80 | random & ~(0xF << 76) & ~(0b11 << 62) | version_7
    return str(uuid.UUID(int=value))

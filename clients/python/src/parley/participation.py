"""Rules that an agent can apply before it asks the server.

The server's own `stale` and `should_respond` know more: the authors of the missed messages, and the limits on agents
that answer agents.
"""

from __future__ import annotations

from collections.abc import Collection

from parley.types.chat import Actor, ParticipationMode


def is_stale(base_seq: int | None, current: int | None) -> bool:
    """Whether the thread has grown since `base_seq`. False where either is unknown."""
    return base_seq is not None and current is not None and base_seq < current


def compute_stale_lag(base_seq: int | None, current: int | None) -> int:
    """The number of entries added since `base_seq`. 0 where either is unknown."""
    return 0 if base_seq is None or current is None else max(0, current - base_seq)


def should_respond(
    *,
    me: Actor,
    sender: Actor | None,
    mode: ParticipationMode | None = None,
    mentions: Collection[Actor] | None = None,
) -> bool:
    """Whether the agent `me` should answer a message, by the mode that holds for it, the mentions and the sender.

    No mode means `open`. An event without a sender, such as `thread_updated`, is no message: nobody answers it.
    """
    if sender is None or sender == me:
        return False
    is_human = not sender.startswith(("agent:", "system:"))
    return me in (mentions or ()) or (mode != "invocation_only" and is_human)

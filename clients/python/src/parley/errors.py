"""Errors of calls to the server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from parley.types.chat import Message


@dataclass(frozen=True)
class StaleContext:
    """The messages that an agent had not read when it spoke: enough to plan again without another request.

    `current_seq` is the next `base_seq`. `stale_lag` counts the missed messages of others, up to 1,000; `missed` holds
    the first 200 of them.
    """

    current_seq: int
    stale_lag: int
    missed: list[Message]


class ParleyError(Exception):
    """The server refused. `slug` names the problem, `detail` says it in a sentence, `members` is the whole answer."""

    def __init__(
        self,
        status: int,
        slug: str,
        detail: str,
        retryable: bool = False,
        members: dict[str, Any] | None = None,
        retry_after: float | None = None,
    ):
        super().__init__(f"{status} {slug}: {detail}")
        self.status = status
        self.slug = slug
        self.detail = detail
        self.retryable = retryable
        self.members = members or {}
        self.retry_after = retry_after
        # Whether this attempt, or an earlier one of the same call, may have taken effect.
        self.outcome_unknown = self.status == 0 or self.status >= 500

    @property
    def is_passing(self) -> bool:
        """Whether the client itself tries again: no answer came, too many requests, or an error of the server."""
        return self.status == 0 or self.status == 429 or self.status >= 500

    @property
    def stale_context(self) -> StaleContext | None:
        """What the agent missed, if its message was refused for that (`on_stale="reject"`)."""
        if self.slug != "stale-context":
            return None
        return StaleContext(
            int(self.members.get("current_seq") or 0),
            int(self.members.get("stale_lag") or 0),
            list(self.members.get("missed_messages") or []),
        )


class Unreachable(ParleyError):
    """No answer came: the request may have taken effect or not.

    Repeating the call is safe if it has a key, by which the server knows it again. `typing` and `create_token` have
    none; the client sends them once. A certificate that cannot be verified is not tried again, since nothing was sent.
    """

    def __init__(self, detail: str, is_passing: bool = True):
        super().__init__(0, "unreachable", detail, retryable=is_passing)
        self.outcome_unknown = is_passing

    @property
    def is_passing(self) -> bool:
        return self.retryable


class StreamBroken(ParleyError):
    """The server repeats a protocol violation at the same position of a stream, or answers with no stream at all."""

    def __init__(self, detail: str):
        super().__init__(0, "stream-broken", detail)

    @property
    def is_passing(self) -> bool:
        return False


class Stopped(Exception):
    """The run was stopped while its events were being sent."""

    def __init__(self, run_id: str | None):
        super().__init__(f"The run {run_id} was stopped.")
        self.run_id = run_id

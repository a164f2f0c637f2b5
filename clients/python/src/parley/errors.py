"""What can go wrong when the server is asked something."""

from __future__ import annotations

from typing import Any


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


class Unreachable(ParleyError):
    """No answer came. What was sent may have been written or not; everything this client sends may be sent again."""

    def __init__(self, detail: str):
        super().__init__(0, "unreachable", detail, retryable=True)


class Stopped(Exception):
    """Somebody stopped the run whose events were being sent."""

    def __init__(self, run_id: str | None):
        super().__init__(f"The run {run_id} was stopped.")
        self.run_id = run_id

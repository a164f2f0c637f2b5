"""The client itself."""

from __future__ import annotations

from types import TracebackType

from parley.sessions import Sessions
from parley.wire import Wire


class Parley:
    """A server and who calls it. May be shared by threads.

    >>> parley = Parley("http://127.0.0.1:8080", token)
    >>> parley.sessions.append("support-42", Message(role="user", content="Hello"))
    """

    def __init__(self, base_url: str, token: str, timeout: float = 60.0, attempts: int = 6):
        self.wire = Wire(base_url, token, timeout, attempts)
        self.sessions = Sessions(self.wire)

    def close(self) -> None:
        self.wire.close()

    def __enter__(self) -> Parley:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

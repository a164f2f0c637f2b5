"""The client itself."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType

from parley.agent_runs import Runs
from parley.attachments import Attachments
from parley.history import History
from parley.inbox import InboxStream
from parley.owner import Owner
from parley.sessions import Sessions
from parley.thread import ThreadClient
from parley.threads import Threads
from parley.types.chat import Caller
from parley.wire import Wire


class Parley:
    """A server and who calls it. May be shared by threads.

    >>> parley = Parley("http://127.0.0.1:8080", token)
    >>> parley.sessions.append("support-42", Message(role="user", content="Hello"))

    Without a token the caller is the local user of a first start, whose server is on the same machine.
    """

    def __init__(self, base_url: str, token: str | None = None, timeout: float = 60.0, attempts: int = 6):
        self.wire = Wire(base_url, token, timeout, attempts)
        self.sessions = Sessions(self.wire)
        self.threads = Threads(self.wire)
        self.runs = Runs(self.wire)
        self.history = History(self.wire)
        self.attachments = Attachments(self.wire)
        self.owner = Owner(self.wire)

    def thread(self, thread_id: str) -> ThreadClient:
        return ThreadClient(self.wire, thread_id)

    def inbox(self, *, on_open: Callable[[], None] | None = None, patience: float | None = None) -> InboxStream:
        """Hints of changes in all of the caller's threads, by one connection."""
        return InboxStream(self.wire, on_open, patience)

    def who_am_i(self) -> Caller:
        """The caller as the server knows it."""
        return self.wire.call("GET", "/api/v1/auth/me").body

    def close(self) -> None:
        """Closes idle connections. Streams are closed on their own."""
        self.wire.close()

    def __enter__(self) -> Parley:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

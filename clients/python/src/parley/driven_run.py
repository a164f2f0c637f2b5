"""A run that the calling agent drives from its own process."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType

from parley.errors import ParleyError, Stopped
from parley.types.runs import RunEvent, RunStanding
from parley.wire import Wire, to_json

# The server takes a run without a sign of life for a minute for dead.
HEARTBEAT = 10.0
TERMINAL = ("RUN_FINISHED", "RUN_ERROR")


class DrivenRun:
    """Sends AG-UI events, numbered, so that each enters the log once however often it is sent.

    In a `with` block it shows the server every ten seconds that the agent is at work. Leaving the block ends a run that
    has not ended: as failed if an exception leaves it, else as completed. May be used by several threads.
    """

    def __init__(self, wire: Wire, target: str, thread_id: str, run_id: str, standing: RunStanding | None = None):
        self.thread_id = thread_id
        self.run_id = run_id
        self.ended = False
        self._wire = wire
        self._target = target
        self._lock = threading.RLock()
        self._unanswered: list[bytes] = []
        self._left = threading.Event()
        self._heartbeats: threading.Thread | None = None
        # Only a post without events can be repeated before the epoch is known.
        self.standing = standing or self._send({"first": 0}, [])

    @property
    def stopped(self) -> bool:
        """Whether the run is over, and not by an event of its driver: it was cancelled, or taken for dead."""
        return self.standing["stop"] and not self.ended

    def post(self, *events: RunEvent) -> RunStanding:
        """Sends events, and returns once they are durable. Raises Stopped if the run is over.

        If no answer comes, the events are kept and must not be posted again: they go ahead of the next post. A refused
        post leaves the run as it was.
        """
        texts = [to_json(event) for event in events]
        with self._lock:
            self._settle()
            if self.stopped:
                raise Stopped(self.run_id)
            self._unanswered = texts
            self._settle()
            self.ended = self.ended or any(event.get("type") in TERMINAL for event in events)
            return self.standing

    def heartbeat(self) -> RunStanding:
        """Shows the server that the agent is at work, and learns whether the run was stopped."""
        with self._lock:
            self._settle()
            self.standing = self._send(self._about(), [])
            return self.standing

    def __enter__(self) -> DrivenRun:
        self._heartbeats = threading.Thread(target=self._beat, name=f"parley-drive-{self.run_id}", daemon=True)
        self._heartbeats.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._left.set()
        if self._heartbeats is not None:
            self._heartbeats.join()
        if self.ended or self.stopped or isinstance(error, Stopped):
            return
        try:
            self.post(self._last_event(error))
        except (ParleyError, Stopped):
            # The first failure is the one that the caller should see.
            if error is None:
                raise

    def _last_event(self, error: BaseException | None) -> RunEvent:
        if error is None:
            return {"type": "RUN_FINISHED", "threadId": self.thread_id, "runId": self.run_id}
        return {"type": "RUN_ERROR", "message": str(error) or type(error).__name__}

    def _beat(self) -> None:
        while not self._left.wait(HEARTBEAT) and not self.ended and not self.stopped:
            # The next post meets the same refusal, and tells the caller.
            with suppress(ParleyError):
                self.heartbeat()

    def _settle(self) -> None:
        """Sends events that got no answer. Refused events are dropped; the caller is told."""
        if not self._unanswered:
            return
        try:
            self.standing = self._send(self._about(), self._unanswered)
        except ParleyError as failure:
            if not failure.outcome_unknown:
                self._unanswered = []
            raise
        self._unanswered = []

    def _about(self) -> dict[str, int]:
        return {"epoch": self.standing["epoch"], "first": self.standing["next"]}

    def _send(self, about: dict[str, int], events: Sequence[bytes]) -> RunStanding:
        body = to_json(about)[:-1] + b',"events":[' + b",".join(events) + b"]}"
        return self._wire.call("POST", self._target, body).body

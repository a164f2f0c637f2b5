"""A run that the calling agent drives from its own process."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from parley.errors import ParleyError, Stopped, Unreachable
from parley.run_events import TERMINAL
from parley.run_posts import envelope, is_cancellation, public_text
from parley.types.runs import RunEvent, RunStanding
from parley.wire import Wire, to_json

# The server fails a run whose driver is silent for a minute.
HEARTBEAT_INTERVAL = 10.0
# The seconds that one request of a heartbeat may take.
HEARTBEAT_TIMEOUT = 10.0
# The seconds that leaving a `with` block waits for a heartbeat which is on its way.
EXIT_TIMEOUT = 30.0


@dataclass
class _Batch:
    """The events of one post. `kept`: their caller knows that they are sent again without it."""

    events: list[bytes]
    ends_run: bool
    kept: bool = False


class DrivenRun:
    """Sends AG-UI events, numbered, so that each enters the log once however often it is sent.

    In a `with` block it shows the server every ten seconds that the agent is at work. Leaving the block ends a run that
    has not ended: as failed if an exception leaves it, as cancelled if the program or the task is interrupted, else as
    completed. Readers of the thread see the exception's type, and its message only with `publish_error_message`. May be
    used by several threads.
    """

    def __init__(
        self,
        wire: Wire,
        target: str,
        thread_id: str,
        run_id: str,
        standing: RunStanding | None = None,
        publish_error_message: bool = False,
    ):
        self.thread_id = thread_id
        self.run_id = run_id
        self.ended = False
        self._wire = wire
        self._target = target
        self._publish_error_message = publish_error_message
        self._lock = threading.RLock()
        # In their order; of the first one the server may have events already.
        self._undelivered: list[_Batch] = []
        # The refusal of kept events that only the heartbeat has met.
        self._refusal: ParleyError | None = None
        self._left = threading.Event()
        self._heartbeats: threading.Thread | None = None
        # Only a post without events can be repeated before the epoch is known.
        self.standing = standing or self._send({"first": 0}, [])

    @property
    def stopped(self) -> bool:
        """True if the run is over, and not by an event of its driver: it was cancelled, or taken for dead."""
        return self.standing["stop"] and not self.ended

    def post(self, *events: RunEvent) -> RunStanding:
        """Sends events, and returns once they are durable. Raises Stopped if the run is over.

        If an error says `outcome_unknown`, the events are kept and must not be posted again: they go ahead of the next
        post. Any other refusal drops the events, and those kept before them; the run stays as it was.
        """
        batch = _Batch([to_json(event) for event in events], any(event.get("type") in TERMINAL for event in events))
        with self._lock:
            refusal = self._take_refusal()
            if refusal is not None:
                raise refusal
            if self.stopped:
                raise Stopped(self.run_id)
            if events:
                self._undelivered.append(batch)
            if not self._settle():
                raise Stopped(self.run_id)
            return self.standing

    def heartbeat(self) -> RunStanding:
        """Shows the server that the agent is at work, and returns where the run stands."""
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
        try:
            self._stop_heartbeats()
            refusal = self._take_refusal()
            if not self.ended and not self.stopped and not isinstance(error, Stopped):
                # A run whose events were refused has not completed.
                self.post(self._last_event(error or refusal))
            if refusal is not None:
                raise refusal
        except (ParleyError, Stopped):
            # The first failure is the one that the caller should see.
            if error is None:
                raise

    def _last_event(self, error: BaseException | None) -> RunEvent:
        if error is not None and not is_cancellation(error):
            return {"type": "RUN_ERROR", "message": public_text(error, self._publish_error_message)}
        finished: RunEvent = {"type": "RUN_FINISHED", "threadId": self.thread_id, "runId": self.run_id}
        return finished if error is None else {**finished, "outcome": {"type": "cancelled"}}

    def _stop_heartbeats(self) -> None:
        if self._heartbeats is not None:
            self._heartbeats.join(EXIT_TIMEOUT)
            if self._heartbeats.is_alive():
                raise Unreachable(f"A heartbeat of run {self.run_id} does not return; the run was not ended.")

    def _beat(self) -> None:
        while not self._left.wait(HEARTBEAT_INTERVAL) and not self.ended and not self.stopped:
            # The next post meets the same error, except for events that are dropped now: `_settle` keeps that refusal.
            with suppress(ParleyError), self._lock:
                self._settle(is_heartbeat=True)
                if not self._left.is_set():
                    self.standing = self._send(self._about(), [], is_heartbeat=True)

    def _settle(self, is_heartbeat: bool = False) -> bool:
        """Sends the events that were not delivered. False if some are left because the run is over.

        A heartbeat ends between two batches once the block is being left: the post of the run's last event, which waits
        for the heartbeat, sends the others.
        """
        while self._undelivered and not (is_heartbeat and self._left.is_set()):
            batch = self._undelivered[0]
            try:
                self.standing = self._send(self._about(), batch.events, is_heartbeat)
            except ParleyError as failure:
                self._keep_after(failure, is_heartbeat)
                raise
            del self._undelivered[0]
            self.ended = self.ended or batch.ends_run
            if self.stopped and self._undelivered:
                self._undelivered = []
                return False
        return True

    def _keep_after(self, failure: ParleyError, is_heartbeat: bool) -> None:
        if failure.outcome_unknown:
            for batch in self._undelivered:
                batch.kept = True
        elif failure.is_passing:
            # Too many requests. The caller of a new post sends it again; kept events have no caller any more.
            self._undelivered = [batch for batch in self._undelivered if batch.kept]
        else:
            self._undelivered = []
            if is_heartbeat:
                self._refusal = failure

    def _take_refusal(self) -> ParleyError | None:
        with self._lock:
            refusal, self._refusal = self._refusal, None
            return refusal

    def _about(self) -> dict[str, int]:
        return {"epoch": self.standing["epoch"], "first": self.standing["next"]}

    def _send(self, about: dict[str, int], events: Sequence[bytes], is_heartbeat: bool = False) -> RunStanding:
        # The next heartbeat is the retry of this one. Once the block is being left, a heartbeat begins no further
        # request, so leaving waits for one attempt at most.
        limits: dict[str, Any] = {"timeout": HEARTBEAT_TIMEOUT, "attempts": 1} if is_heartbeat else {}
        return self._wire.call("POST", self._target, envelope(about, events), **limits).body

"""The events of one run on their way to the server, where viewers see them live."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from datetime import datetime
from types import TracebackType
from typing import Any

from parley.errors import ParleyError, Stopped
from parley.run_posts import envelope, is_cancellation, public_text
from parley.wire import JsonDefault, Wire, path, pause_before, to_json

MAX_BATCH = 200
MAX_WAITING = 10_000
TERMINAL = ("RunCompleted", "RunError", "RunCancelled")
# A run of which nothing is heard for long is taken for dead.
SIGN_OF_LIFE = 10.0


class RunStream:
    """Takes a run's events, numbers them, and sends them from a thread of its own, several in one post.

    After a lost connection the same numbers are sent again, so nothing is lost or doubled. `patience` is how many
    seconds a post is retried. A retry never comes before the server's Retry-After is over; if that is longer than the
    rest of `patience`, the refusal is raised at once.

    Once the run was stopped, the next `send` raises `Stopped`. Leaving the `with` block sends the rest and ends a run
    that has not ended: as failed if an exception leaves it, as cancelled if it was stopped or interrupted, else as
    completed. Readers see the exception's type, and its message only with `publish_error_message`. A paused run stays
    so, and goes on with the next stream of its id, in this process or another, whose first event is RunContinued.
    """

    def __init__(
        self,
        wire: Wire,
        session_id: str,
        run_id: str | None = None,
        *,
        agent_id: str | None = None,
        agent_name: str | None = None,
        team_name: str | None = None,
        parent_run_id: str | None = None,
        epoch: Any = None,
        first: int = 0,
        delay: float = 0.05,
        patience: float = 60.0,
        default: JsonDefault | None = None,
        publish_error_message: bool = False,
    ):
        self.session_id = session_id
        self.run_id = run_id
        self.epoch = epoch
        self.next = first
        self.stopped = False
        about = {
            "agent_id": agent_id,
            "agent_name": agent_name,
            "team_name": team_name,
            "parent_run_id": parent_run_id,
        }
        self._about = {name: value for name, value in about.items() if value is not None}
        self._wire = wire
        self._delay = delay
        self._patience = patience
        self._default = default or _time_as_text
        self._publish_error_message = publish_error_message
        self._ended = False
        self._paused = False
        self._continues = False
        self._begun = False
        self._waiting: list[bytes] = []
        self._hurry = False
        self._closing = False
        self._is_logged = False
        self._failure: BaseException | None = None
        self._changed = threading.Condition()
        self._sender: threading.Thread | None = None

    @property
    def ended(self) -> bool:
        """Whether an event was taken that ends this run."""
        return self._ended

    def send(self, event: Mapping[str, Any] | Any) -> None:
        """Takes an event: one of Agno's, or its dict. Raises Stopped once the run was stopped."""
        content = dict(event) if isinstance(event, Mapping) else event.to_dict()
        text = to_json(content, self._default)
        with self._changed:
            if self.run_id is None:
                self.run_id = content.get("run_id")
            if self.run_id is None:
                raise ValueError("The first event names no run_id, and none was given.")
            name = _name(content, self.run_id)
            ends = name in TERMINAL
            if self._ended and not ends:
                return
            if self.stopped and not ends:
                raise Stopped(self.run_id)
            self._ended = self._ended or ends
            self._paused = name == "RunPaused" or (self._paused and name != "RunContinued")
            self._continues = self._continues or (self._sender is None and name == "RunContinued")
            while len(self._waiting) >= MAX_WAITING and self._failure is None:
                self._changed.wait()
            self._raise_failure()
            self._waiting.append(text)
            self._hurry = self._hurry or ends or self._paused
            if self._sender is None:
                self._sender = threading.Thread(target=self._send_all, name=f"parley-run-{self.run_id}", daemon=True)
                self._sender.start()
            self._changed.notify_all()

    def flush(self) -> None:
        """Waits until everything taken so far is durable at the server."""
        with self._changed:
            self._hurry = True
            self._changed.notify_all()
            while self._waiting and self._failure is None:
                self._changed.wait()
            self._raise_failure()

    def close(self) -> None:
        """Sends what is left. Does not end the run: a paused one goes on later, from `epoch` and `next`."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        if self._sender is not None:
            self._sender.join()
        self._raise_failure()

    def __enter__(self) -> RunStream:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._end(error)
            self.close()
        except ParleyError:
            # What went wrong first is what the caller should see.
            if error is None:
                raise

    def _end(self, error: BaseException | None) -> None:
        if self._ended or self.run_id is None or self._failure is not None or (self._paused and error is None):
            return
        if self.stopped or isinstance(error, Stopped) or (error is not None and is_cancellation(error)):
            self.send({"event": "RunCancelled", "run_id": self.run_id, "reason": "Stopped."})
        elif error is not None:
            text = public_text(error, self._publish_error_message)
            self.send({"event": "RunError", "run_id": self.run_id, "content": text})
        else:
            self.send({"event": "RunCompleted", "run_id": self.run_id})

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _send_all(self) -> None:
        try:
            while True:
                with self._changed:
                    if not self._waiting and not self._closing:
                        self._changed.wait(SIGN_OF_LIFE)
                    if not self._waiting and self._closing:
                        return
                    if self._waiting and not self._closing and not self._hurry and len(self._waiting) < MAX_BATCH:
                        self._changed.wait(self._delay)
                    batch = self._waiting[:MAX_BATCH]
                    quiet = not batch and (self._ended or self._paused or self.stopped)
                if quiet:
                    continue
                if self._continues and not self._begun and self.epoch is None:
                    # Where it stopped is known to the server, whoever has driven it until then.
                    self._post([])
                self._begun = True
                self._post(batch)
                with self._changed:
                    del self._waiting[: len(batch)]
                    if not self._waiting:
                        self._hurry = False
                    self._changed.notify_all()
        except BaseException as failure:  # handed to whoever sends or closes
            with self._changed:
                self._failure = failure
                self._changed.notify_all()

    def _post(self, batch: list[bytes]) -> None:
        if self._is_logged:
            return
        about: dict[str, Any] = {**self._about, "first": self.next}
        if self.epoch is not None:
            about["epoch"] = self.epoch
        body = envelope(about, batch)
        target = path(self.session_id, "runs", str(self.run_id), "events")
        give_up = time.monotonic() + self._patience
        attempt = 0
        while True:
            attempt += 1
            try:
                answer = self._wire.call("POST", target, body, give_up=give_up).body
                break
            except ParleyError as failure:
                if self.stopped and not failure.is_passing:
                    # A stopped run takes no more content. It has ended already.
                    return
                if failure.slug == "key-reused" and self.next == 0:
                    # Another writer was faster: the run's answer is in the session, and nothing is left to stream.
                    self._is_logged = True
                    return
                left = give_up - time.monotonic()
                pause = pause_before(attempt, failure.retry_after, left)
                if not failure.is_passing or pause > left:
                    raise
                time.sleep(pause)
        self.epoch = answer["epoch"]
        self.next = answer["next"]
        with self._changed:
            # A run that has come to its end is not asked to stop.
            self.stopped = self.stopped or (bool(answer.get("stop")) and not self._ended)


def _time_as_text(value: Any) -> str:
    """Agno 2.3 leaves times in the dicts of its events; later versions write them like this."""
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"An event holds a {type(value).__name__}, which JSON has no form for. Give `default` to write it.")


def _name(event: Mapping[str, Any], run_id: str) -> str:
    """What an event says of the run itself. A team's stream also has the events of its members' runs."""
    return str(event.get("event", "")).removeprefix("Team") if event.get("run_id") in (None, run_id) else ""

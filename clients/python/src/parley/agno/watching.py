"""Lets others watch a run while it goes on."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from parley.agno.asking import holds_a_run, run_asked_by
from parley.client import Parley
from parley.errors import ParleyError, Stopped
from parley.runs import RunStream
from parley.sessions import AnyMessage

# Events that show that the model was given its messages. Until then Agno may still put the question together.
_MODEL_AT_WORK = {
    "ModelRequestStarted",
    "ReasoningStarted",
    "RunContent",
    "RunIntermediateContent",
    "ToolCallStarted",
    "RunPaused",
    "RunCompleted",
    "RunError",
    "RunCancelled",
}

_log = logging.getLogger("parley")


def stream_to(
    client: Parley,
    session_id: str,
    events: Iterator[Any],
    *,
    agent: Any = None,
    question: AnyMessage | None = None,
    user_id: str | None = None,
    **about: Any,
) -> Iterator[Any]:
    """Passes a run's events on, and sends each to Parley on its way, where viewers see them and one message remains.

    >>> for event in stream_to(parley, "s-1", agent.run("Hello", stream=True, stream_events=True), agent=agent):
    ...     print(event.content or "", end="")

    `agent` (or the team) is asked to cancel when the run is stopped; without it the iterator is closed. `question` is
    appended before the run's first event, so that the log has it before the answer, also of a run that is stopped;
    `user_id` is its author, the caller if None. Neither is needed if `agent` keeps its sessions in Parley: then the
    question is found.
    """
    asking = _Question(client, session_id, events, agent, question, user_id)
    with client.sessions.run(session_id, **about) as run, _watched(agent, run):
        for event in events:
            if not _is_event(event):
                yield event
                continue
            asking.ask_before(event)
            try:
                run.send(event)
            except Stopped:
                _cancel(agent, run, events)
            yield event
    _settle(agent, run)


async def astream_to(
    client: Parley,
    session_id: str,
    events: AsyncIterator[Any],
    *,
    agent: Any = None,
    question: AnyMessage | None = None,
    user_id: str | None = None,
    **about: Any,
) -> AsyncIterator[Any]:
    """The same for `agent.arun(…)`. Events are sent by a thread of their own, so the loop is not held up."""
    asking = _Question(client, session_id, events, agent, question, user_id)
    run = client.sessions.run(session_id, **about)
    try:
        with _watched(agent, run):
            async for event in events:
                if _is_event(event):
                    if not asking.is_decided:
                        await asyncio.to_thread(asking.ask_before, event)
                    try:
                        run.send(event)
                    except Stopped:
                        _cancel(agent, run, events)
                yield event
    except BaseException as error:
        await asyncio.to_thread(run.__exit__, type(error), error, error.__traceback__)
        raise
    await asyncio.to_thread(run.__exit__, None, None, None)
    await asyncio.to_thread(_settle, agent, run)


class _Question:
    """Appends the question of a run once, before the run's events are sent."""

    def __init__(
        self,
        client: Parley,
        session_id: str,
        events: Any,
        agent: Any,
        question: AnyMessage | None,
        user_id: str | None,
    ):
        self._client = client
        self._session_id = session_id
        self._events = events
        self._question = question
        self._user_id = user_id
        self._db = getattr(agent, "db", None)
        # The question was appended, or there is none to be found.
        self.is_decided = question is None and not (hasattr(self._db, "ask") and holds_a_run(events))

    def ask_before(self, event: Any) -> None:
        """Appends the question if it is known. Agno tells that an awaited run has begun before it has put the question
        together, so that is tried again with each event until the model is at work."""
        if self.is_decided:
            return
        if self._question is not None:
            run_id = _member(event, "run_id")
            self._client.sessions.append(self._session_id, self._question, user_id=self._user_id, run_id=run_id)
            self.is_decided = True
            return
        run = run_asked_by(self._events)
        if run is not None:
            self._db.ask(self._session_id, run)  # type: ignore[union-attr]
        elif str(_member(event, "event")).removeprefix("Team") in _MODEL_AT_WORK:
            _log.warning(
                "Session %s: found no question of run %s in Agno's generator; it is logged when Agno saves the run",
                self._session_id,
                _member(event, "run_id"),
            )
        else:
            return
        self.is_decided = True


def _member(event: Any, name: str) -> Any:
    return event.get(name) if isinstance(event, dict) else getattr(event, name, None)


@contextmanager
def _watched(agent: Any, run: RunStream) -> Iterator[None]:
    """Lets the agent's Db send what is on its way before it writes what the run has come to."""
    db = getattr(agent, "db", None)
    if db is None or not hasattr(db, "watch"):
        yield
        return

    def flush() -> None:
        # What cannot be sent is said by the stream itself.
        with suppress(ParleyError):
            run.flush()

    forget = db.watch(run.session_id, flush)
    try:
        yield
    finally:
        forget()


def _is_event(given: Any) -> bool:
    """Agno can also give the whole run at the end of a stream; that is no event."""
    return isinstance(given, dict) or bool(getattr(given, "event", None))


def _cancel(agent: Any, run: RunStream, events: Any) -> None:
    if agent is None:
        raise Stopped(run.run_id)
    # The run ends by itself at its next step, and says so with RunCancelled.
    agent.cancel_run(run.run_id)


def _settle(agent: Any, run: RunStream) -> None:
    db = getattr(agent, "db", None)
    if db is not None and hasattr(db, "settle"):
        db.settle(run.session_id)

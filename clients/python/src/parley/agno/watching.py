"""Lets others watch a run while it goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from parley.agno.asking import run_asked_by
from parley.client import Parley
from parley.errors import ParleyError, Stopped
from parley.runs import RunStream
from parley.sessions import AnyMessage


def stream_to(
    client: Parley,
    session_id: str,
    events: Iterator[Any],
    *,
    agent: Any = None,
    question: AnyMessage | None = None,
    **about: Any,
) -> Iterator[Any]:
    """Passes a run's events on, and sends each to Parley on its way, where viewers see them and one message remains.

    >>> for event in stream_to(parley, "s-1", agent.run("Hello", stream=True, stream_events=True), agent=agent):
    ...     print(event.content or "", end="")

    `agent` (or the team) is what is asked to cancel when somebody stops the run; without it the iterator is closed.
    `question` is appended before the run's first event, so that the log has it before the answer, also of a run that is
    stopped. It is not needed if `agent` keeps its sessions in Parley: then it is found.
    """
    with client.sessions.run(session_id, **about) as run, _watched(agent, run):
        asked = False
        for event in events:
            if not _is_event(event):
                yield event
                continue
            asked = asked or _ask(client, session_id, events, event, agent, question)
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
    **about: Any,
) -> AsyncIterator[Any]:
    """The same for `agent.arun(…)`. Events are sent by a thread of their own, so the loop is not held up."""
    run = client.sessions.run(session_id, **about)
    try:
        with _watched(agent, run):
            asked = False
            async for event in events:
                if _is_event(event):
                    asked = asked or await asyncio.to_thread(_ask, client, session_id, events, event, agent, question)
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


def _ask(client: Parley, session_id: str, events: Any, event: Any, agent: Any, question: AnyMessage | None) -> bool:
    """Appends what the run was asked, before an event of it is sent. False if that is not known yet: Agno tells that an
    awaited run has begun before it has put the question together."""
    db = getattr(agent, "db", None)
    if question is not None:
        run_id = event.get("run_id") if isinstance(event, dict) else getattr(event, "run_id", None)
        client.sessions.append(session_id, question, run_id=run_id)
        return True
    if db is None or not hasattr(db, "ask"):
        return True
    run = run_asked_by(events)
    if run is not None:
        db.ask(session_id, run)
    return run is not None


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

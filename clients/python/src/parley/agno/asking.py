"""Finds the question of a run that is about to be streamed."""

from __future__ import annotations

from typing import Any


def holds_a_run(events: Any) -> bool:
    """False for iterators other than generators, in which no run can be looked up."""
    return hasattr(events, "gi_frame") or hasattr(events, "ag_frame")


def run_asked_by(events: Any) -> dict[str, Any] | None:
    """The run behind a stream of Agno's, with the messages that its model is shown; None if they cannot be found.

    Agno's events carry neither the question nor its id. Agno saves a run only at its end, when the answer of a stopped
    run is in the log already. Until then the generator alone holds both, so they are looked up there, by their types.
    None is returned for generators other than Agno's own: their callers give the question.
    """
    from agno.run.agent import RunOutput
    from agno.run.messages import RunMessages
    from agno.run.team import TeamRunOutput

    frame = getattr(events, "gi_frame", None) or getattr(events, "ag_frame", None)
    held = list(frame.f_locals.values()) if frame is not None else []
    run = next((each for each in held if isinstance(each, (RunOutput, TeamRunOutput))), None)
    shown = next((each for each in held if isinstance(each, RunMessages)), None)
    if run is None or shown is None:
        return None
    return {**run.to_dict(), "messages": [message.to_dict() for message in shown.messages]}

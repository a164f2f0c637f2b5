"""Runs of agents: start them, watch them, cancel them, drive them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from parley.driven_run import DrivenRun
from parley.errors import ParleyError
from parley.ids import fresh_id
from parley.run_events import ONE_RUN, THREAD_EVENTS, RunEventStream
from parley.stream import Stream
from parley.types.chat import JsonObject
from parley.types.runs import (
    AttachmentUploaded,
    CancelAnswer,
    Context,
    MultitaskStrategy,
    RunPage,
    RunStanding,
    RunView,
    SharedStateView,
    TaskAccepted,
)
from parley.wire import Wire, to_json, under, without_none

RUNS = "/api/v1/agent/runs"
THREADS = "/api/v1/agent/threads"


class Runs:
    """A run is named by its runId or its taskId."""

    def __init__(self, wire: Wire):
        self._wire = wire

    def start(self, run_agent_input: Mapping[str, Any]) -> TaskAccepted:
        """Starts a run with a RunAgentInput, once per `runId`. A thread that does not exist yet is created."""
        return self._wire.call("POST", RUNS, to_json(run_agent_input)).body

    def say(
        self,
        thread_id: str,
        text: str,
        *,
        run_id: str | None = None,
        images: Sequence[AttachmentUploaded] = (),
        agent_id: str | None = None,
        multitask_strategy: MultitaskStrategy | None = None,
        regenerate_from: str | None = None,
        parent_run_id: str | None = None,
        state: Any = None,
        tools: Sequence[JsonObject] | None = None,
        context: Sequence[Context] | None = None,
        resume: Sequence[JsonObject] | None = None,
    ) -> TaskAccepted:
        """Says something to the thread's agent, or to `agent_id`, and shows it uploaded images.

        With a `run_id` of the caller's own the run is started once also when the caller itself starts again.
        """
        run_id = run_id or fresh_id()
        blocks: list[JsonObject] = [{"type": "text", "text": text}] if text else []
        blocks += [{"type": "binary", "mimeType": each["mime_type"], "url": each["url"]} for each in images]
        message = {"id": f"msg-{run_id}", "role": "user", "content": blocks if images else text}
        wishes = {
            "agentId": agent_id,
            "multitaskStrategy": multitask_strategy,
            "regenerateFrom": regenerate_from,
        }
        given = {
            "threadId": thread_id,
            "runId": run_id,
            "parentRunId": parent_run_id,
            "state": state,
            "messages": [message],
            "tools": tools,
            "context": context,
            "resume": resume,
            "forwardedProps": without_none(wishes) or None,
        }
        return self.start(without_none(given))

    def get(self, thread_id: str, run_id: str) -> RunView:
        return self._wire.call("GET", _run(thread_id, run_id)).body

    def find(self, thread_id: str, run_id: str) -> RunView | None:
        """None if there is no such run, or no such thread."""
        try:
            return self.get(thread_id, run_id)
        except ParleyError as failure:
            if failure.status != 404:
                raise
            return None

    def list(self, thread_id: str, *, cursor: str | None = None, limit: int | None = None) -> RunPage:
        """One page of the thread's runs, the newest first. `cursor` is the `nextCursor` of the page before."""
        query = {"cursor": cursor, "limit": limit}
        return self._wire.call("GET", under(THREADS, thread_id, "runs"), query=query).body

    def cancel(self, thread_id: str, run_id: str) -> CancelAnswer:
        """Cancels a run; once this returns, nothing of it follows.

        `finished` may also mean that an earlier attempt of this call, whose answer was lost, has ended the run.
        """
        return self._wire.call("POST", under(_run(thread_id, run_id), "cancel"), b"{}").body

    def state(self, thread_id: str) -> SharedStateView:
        """The state that the thread's agents and clients share."""
        return self._wire.call("GET", under(THREADS, thread_id, "state")).body

    def context(self, thread_id: str, run_id: str, *, request: int | None = None) -> JsonObject:
        """What the run's agent was shown; of an agent that asks its model several times, at that request."""
        return self._wire.call("GET", under(_run(thread_id, run_id), "context"), query={"request": request}).body

    def context_diff(self, thread_id: str, run_id: str, other_run_id: str) -> JsonObject:
        """The differences between what two runs were shown."""
        return self._wire.call("GET", under(_run(thread_id, run_id), "context"), query={"diff": other_run_id}).body

    def follow(
        self, thread_id: str, run_id: str, *, after: int | None = None, patience: float | None = None
    ) -> RunEventStream:
        """One run from its first event, or from a position, to its terminal event: every event once and in order."""
        target = under(RUNS, thread_id, "events")
        return Stream(self._wire, target, ONE_RUN, after, query={"runId": run_id}, patience=patience)

    def follow_thread(
        self, thread_id: str, *, after: int | None = None, patience: float | None = None
    ) -> RunEventStream:
        """All runs and messages of a thread, as long as the loop goes on: from the active run on, or live."""
        return Stream(self._wire, under(RUNS, thread_id, "events"), THREAD_EVENTS, after, patience=patience)

    def drive(
        self,
        thread_id: str,
        run_id: str,
        standing: RunStanding | None = None,
        *,
        publish_error_message: bool = False,
    ) -> DrivenRun:
        """Opens a run that the calling agent drives: an unused name, or a run that a client asked of this agent.

        With the `standing` of an earlier process this one goes on where that one ended. A run that an exception ends
        shows its type to the thread's readers; with `publish_error_message` they see its message too.
        """
        target = under(_run(thread_id, run_id), "events")
        return DrivenRun(self._wire, target, thread_id, run_id, standing, publish_error_message)


def _run(thread_id: str, run_id: str) -> str:
    return under(THREADS, thread_id, "runs", run_id)

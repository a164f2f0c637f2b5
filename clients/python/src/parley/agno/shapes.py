"""Agno's sessions and runs, and the dicts that are kept of them."""

from __future__ import annotations

import copy
from dataclasses import fields, is_dataclass
from typing import Any

from agno.db.base import SessionType
from agno.db.utils import CustomJSONEncoder
from agno.run.agent import RunOutput
from agno.run.team import TeamRunOutput
from agno.run.workflow import WorkflowRunOutput
from agno.session import AgentSession, TeamSession, WorkflowSession

from parley.agno.documents import Json

Session = AgentSession | TeamSession | WorkflowSession
Run = RunOutput | TeamRunOutput | WorkflowRunOutput

# What Agno puts into its dicts and JSON has no name for.
as_json = CustomJSONEncoder().default


def row_of(session: Session) -> Json:
    """A session without its runs. Agno 2 would copy every run first, to throw the copies away."""
    alone = copy.copy(session)
    alone.runs = None
    row = alone.to_dict()
    row.pop("runs", None)
    row.pop("session_id", None)
    if isinstance(session, TeamSession):
        row["session_type"] = SessionType.TEAM.value
    elif isinstance(session, WorkflowSession):
        row["session_type"] = SessionType.WORKFLOW.value
    else:
        row["session_type"] = SessionType.AGENT.value
    return row


def name_of(row: Json) -> str:
    return str((row.get("session_data") or {}).get("session_name") or "")


def components_of(row: Json) -> set[Any]:
    return {row.get("agent_id"), row.get("team_id"), row.get("workflow_id")}


def run_from(run: Json) -> Run:
    if run.get("agent_id") or run.get("agent_name"):
        return RunOutput.from_dict(run)
    if run.get("team_id") or run.get("team_name"):
        return TeamRunOutput.from_dict(run)
    return WorkflowRunOutput.from_dict(run)


def dict_of(run: Run | Json) -> Json:
    return run if isinstance(run, dict) else run.to_dict()


def outline_of(run: Run) -> tuple[Any, ...]:
    """Tells whether a run's fields were replaced or its lists have grown, without making a dict of all of it."""
    if not is_dataclass(run):
        return (None, id(run))
    status = getattr(run.status, "value", run.status)
    values = [getattr(run, each.name) for each in fields(run)]
    return (status, *((id(value), len(value) if isinstance(value, (list, dict)) else None) for value in values))

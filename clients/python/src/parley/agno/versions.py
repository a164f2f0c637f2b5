"""Agno's interface where its versions differ, from 2.3 on."""

from __future__ import annotations

from typing import Any

from agno.db.base import BaseDb, SessionType
from agno.media import Image
from agno.session import AgentSession, TeamSession, WorkflowSession

from parley.agno.shapes import Session

# From version 3 on Agno saves each run by itself; before, a session comes with all its runs each time.
SAVES_RUNS_ALONE = hasattr(BaseDb, "upsert_run")
# From version 3 on Agno reads media by reference.
READS_REFERENCES = "media_reference" in Image.model_fields

_CLASSES: dict[str, type[Session]] = {
    SessionType.AGENT.value: AgentSession,
    SessionType.TEAM.value: TeamSession,
    SessionType.WORKFLOW.value: WorkflowSession,
}


def close(db: BaseDb) -> None:
    """Closes a Db of Agno's. In Agno 2.3 not every Db can be closed."""
    closing = getattr(db, "close", None)
    if closing is not None:
        closing()


def session_from(session_type: SessionType | None, record: dict[str, Any]) -> Session:
    """The session of a record, as the given type or as the record's own. Agno 2.3 has no such call."""
    wanted = SessionType(session_type).value if session_type is not None else _type_of(record)
    session = _CLASSES[wanted].from_dict(record)
    if session is None:
        raise ValueError(f"The record of the session {record.get('session_id')!r} cannot be read by this Agno.")
    return session


def _type_of(record: dict[str, Any]) -> str:
    """The type that the record names, else that of its first component; an agent's if it names none."""
    named = record.get("session_type")
    if named in _CLASSES:
        return str(named)
    return next((kind for kind in _CLASSES if record.get(f"{kind}_id")), SessionType.AGENT.value)

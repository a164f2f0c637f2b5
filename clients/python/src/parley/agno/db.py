"""A Db for Agno that keeps sessions in Parley."""

from __future__ import annotations

import copy
import time
from collections.abc import Iterable
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from agno.db.base import BaseDb, SessionType
from agno.db.utils import CustomJSONEncoder, deserialize_session
from agno.run.agent import RunOutput
from agno.run.team import TeamRunOutput
from agno.run.workflow import WorkflowRunOutput
from agno.session import AgentSession, TeamSession, WorkflowSession

from parley.agno.documents import Json, plain
from parley.agno.elsewhere import delegating
from parley.agno.hearing import Recent
from parley.agno.keeping import Loaded, Runs
from parley.agno.merging import merged
from parley.client import Parley
from parley.errors import ParleyError
from parley.sessions import Media
from parley.wire import pause_before

Session = AgentSession | TeamSession | WorkflowSession
Run = RunOutput | TeamRunOutput | WorkflowRunOutput

# From version 3 on Agno saves each run by itself; before, a session comes with all its runs each time.
SAVES_RUNS_ALONE = hasattr(BaseDb, "upsert_run")
CONFLICTS = 30
GOING_ON = {"RUNNING", "PENDING", "PAUSED"}

_encoder = CustomJSONEncoder()


@dataclass
class Kept:
    """What this process knows of a session's document. Copies of a session share it."""

    version: int = 0
    document: Json = field(default_factory=dict)
    session_data: Any = None


class ParleyDb(delegating(BaseDb)):  # type: ignore[misc]
    """Keeps sessions of agents, teams and workflows in Parley: `Agent(db=ParleyDb("http://127.0.0.1:8080", token))`.

    Any number of processes may work in one session: messages and runs are only ever added, and what two of them change
    of a session's own data is merged. What Parley does not keep (memories, knowledge, …) is asked of `fallback`.
    `shared_sessions` lets several users speak in one session; without it a session belongs to the user who began it.
    """

    def __init__(
        self,
        base_url: str,
        token: str,
        *,
        media: Media = "inline",
        fallback: BaseDb | None = None,
        shared_sessions: bool = False,
        id: str | None = None,
        timeout: float = 60.0,
    ):
        super().__init__(id=id or f"parley:{base_url}")
        self.client = Parley(base_url, token, timeout)
        self.fallback = fallback
        self.shared_sessions = shared_sessions
        self._base_url = base_url
        self._runs = Runs(self.client.sessions, media, _encoder.default)
        self._new_sessions: Recent[int, Kept] = Recent(256)
        self._run_objects: Recent[tuple[str, str], tuple[tuple[int, int], Run]] = Recent(2_000)

    # --- The Db itself ---

    def to_dict(self) -> Json:
        """How it was made, without the token."""
        return {"type": "parley", "id": self.id, "base_url": self._base_url}

    def close(self) -> None:
        self.client.close()
        if self.fallback is not None:
            self.fallback.close()

    def table_exists(self, table_name: str) -> bool:
        if self.fallback is not None and table_name != self.session_table_name:
            return self.fallback.table_exists(table_name)
        return True

    def get_latest_schema_version(self, table_name: str = "") -> Any:
        if self.fallback is not None and table_name != self.session_table_name:
            return self.fallback.get_latest_schema_version(table_name)
        return self.default_schema_version

    def upsert_schema_version(self, table_name: str = "", version: str = "") -> None:
        if self.fallback is not None and table_name != self.session_table_name:
            self.fallback.upsert_schema_version(table_name, version)

    # --- Sessions ---

    def get_session(
        self,
        session_id: str,
        session_type: SessionType | None = None,
        user_id: str | None = None,
        deserialize: bool | None = True,
        runs_limit: int | None = None,
    ) -> Session | Json | None:
        kept = self.client.sessions.document(session_id)
        if kept.version == 0 or not self._is_open_to(kept.document, user_id):
            return None
        found = self._runs.load(session_id, runs_limit)
        record = {"session_id": session_id, **plain(kept.document, _encoder.default)}
        if not deserialize:
            return {**record, "runs": [each.run() for each in found]}
        return self._session_from(session_type, record, Kept(kept.version, kept.document), found)

    def get_sessions(
        self,
        session_type: SessionType | None = None,
        user_id: str | None = None,
        component_id: str | None = None,
        session_name: str | None = None,
        start_timestamp: int | None = None,
        end_timestamp: int | None = None,
        limit: int | None = None,
        page: int | None = None,
        sort_by: str | None = None,
        sort_order: str | None = None,
        deserialize: bool | None = True,
        include_runs: bool = True,
    ) -> list[Session] | tuple[list[Json], int]:
        """A page of sessions. The server does not know Agno's filters, so each session's document is looked at."""
        matching = [
            (record, kept)
            for record, kept in self._all_sessions()
            if self._is_open_to(record, user_id)
            and (session_type is None or record.get("session_type") == SessionType(session_type).value)
            and (component_id is None or component_id in _components(record))
            and (session_name is None or session_name.lower() in _name(record).lower())
            and (start_timestamp is None or (record.get("created_at") or 0) >= start_timestamp)
            and (end_timestamp is None or (record.get("created_at") or 0) <= end_timestamp)
        ]
        order = sort_by or "created_at"
        matching.sort(key=lambda each: each[0].get(order) or 0, reverse=sort_order != "asc")
        begin = ((page or 1) - 1) * limit if limit is not None else 0
        shown = matching[begin : begin + limit if limit is not None else None]
        sessions: list[Session] = []
        for record, kept in shown:
            found = self._runs.load(record["session_id"]) if include_runs else []
            if deserialize:
                sessions.append(self._session_from(session_type, record, kept, found))
            else:
                record["runs"] = [each.run() for each in found]
        return sessions if deserialize else ([record for record, _ in shown], len(matching))

    def upsert_session(self, session: Session, deserialize: bool | None = True) -> Session | Json | None:
        """Writes what this process has changed of a session since it was read. Nothing of others is overwritten."""
        kept = self._kept_of(session)
        is_new = kept.version == 0
        self._write_document(session, kept)
        if is_new or not SAVES_RUNS_ALONE:
            for run in session.runs or []:
                self._save_if_changed(session, run)
        if deserialize:
            return session
        return {
            **_row_of(session),
            "session_id": session.session_id,
            "runs": [_dict_of(run) for run in session.runs or []],
        }

    def upsert_sessions(
        self, sessions: list[Session], deserialize: bool | None = True, preserve_updated_at: bool = False
    ) -> list[Session | Json]:
        results = [self.upsert_session(session, deserialize) for session in sessions if session is not None]
        return [each for each in results if each is not None]

    def rename_session(
        self,
        session_id: str,
        session_type: SessionType | None,
        session_name: str,
        user_id: str | None = None,
        deserialize: bool | None = True,
    ) -> Session | Json | None:
        for attempt in range(1, CONFLICTS):
            now = self.client.sessions.document(session_id)
            if now.version == 0 or not self._is_open_to(now.document, user_id):
                return None
            session_data = {**(now.document.get("session_data") or {}), "session_name": session_name}
            try:
                document = {**now.document, "session_data": session_data, "updated_at": int(time.time())}
                self.client.sessions.put_document(session_id, document, now.version)
                break
            except ParleyError as failure:
                _wait_if_changed(failure, attempt)
        self.client.sessions.rename(session_id, session_name)
        return self.get_session(session_id, session_type, user_id, deserialize)

    def delete_session(self, session_id: str, user_id: str | None = None) -> bool:
        """Deletes a session for good. Parley never gives its id to another one."""
        if user_id is not None and not self._is_open_to(self.client.sessions.document(session_id).document, user_id):
            return False
        return self.client.sessions.delete(session_id)

    def delete_sessions(self, session_ids: list[str], user_id: str | None = None) -> None:
        for session_id in session_ids:
            self.delete_session(session_id, user_id)

    # --- Runs, as Agno 3 has them ---

    def upsert_run(
        self, run: Run | Json, session_id: str, user_id: str | None = None, run_index: int | None = None
    ) -> None:
        """Writes one run. Its place in the session is the one that the server gave it first."""
        self._runs.save(session_id, _dict_of(run), user_id)

    def get_run(self, run_id: str, deserialize: bool | None = True) -> Run | Json | None:
        session_id = self._runs.session_of(run_id)
        found = self._runs.load_one(session_id, run_id) if session_id is not None else None
        if found is None:
            return None
        return _run_from(found.run()) if deserialize else found.run()

    def get_runs(
        self,
        session_id: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        team_id: str | None = None,
        workflow_id: str | None = None,
        status: Any = None,
        limit: int | None = None,
        page: int | None = None,
        sort_by: str | None = None,
        sort_order: str | None = None,
        deserialize: bool | None = True,
    ) -> list[Run] | tuple[list[Json], int]:
        wanted = {"user_id": user_id, "agent_id": agent_id, "team_id": team_id, "workflow_id": workflow_id}
        wanted["status"] = getattr(status, "value", status)
        wanted = {name: value for name, value in wanted.items() if value is not None}
        sessions = [session_id] if session_id else [row["session_id"] for row in self.client.sessions.list()]
        runs = [
            loaded.run()
            for each in sessions
            for loaded in self._runs.load(each)
            if all(loaded.document.get(name) == value for name, value in wanted.items())
        ]
        if sort_by is not None:
            runs.sort(key=lambda run: run.get(sort_by) or 0)
        if sort_order == "desc":
            runs.reverse()
        begin = ((page or 1) - 1) * limit if limit is not None else 0
        shown = runs[begin : begin + limit if limit is not None else None]
        return [_run_from(run) for run in shown] if deserialize else (shown, len(runs))

    def cancel_pending_run(
        self,
        run_id: str,
        *,
        session_id: str,
        reason: str,
        user_id: str | None = None,
        expected_status: str = "PENDING",
    ) -> bool:
        """Cancels a run that has not gone on since it was looked at. Whoever changed it meanwhile wins."""
        found = self._runs.load_one(session_id, run_id)
        if found is None or found.document.get("status") != expected_status:
            return False
        if user_id is not None and found.document.get("user_id") != user_id:
            return False
        try:
            self._runs.save(
                session_id, {**found.run(), "status": "CANCELLED", "content": reason}, version=found.version
            )
            return True
        except ParleyError as failure:
            if failure.slug != "document-changed":
                raise
            return False

    def delete_run(self, run_id: str) -> bool:
        session_id = self._runs.session_of(run_id)
        return session_id is not None and self._runs.delete(session_id, run_id)

    def delete_runs(self, run_ids: list[str]) -> None:
        for run_id in run_ids:
            self.delete_run(run_id)

    def settle(self, session_id: str) -> None:
        """Called by `stream_to` once a watched run has ended."""
        self._runs.settle(session_id)

    # --- How it is done ---

    def _is_open_to(self, document: Json, user_id: str | None) -> bool:
        owner = document.get("user_id")
        return self.shared_sessions or user_id is None or owner is None or owner == user_id

    def _kept_of(self, session: Session) -> Kept:
        """What is known of the session's document. Agno saves copies of sessions, which share their session_data."""
        kept = getattr(session, "parley", None)
        if isinstance(kept, Kept):
            return kept
        kept = self._new_sessions.get(id(session.session_data))
        if kept is None or kept.session_data is not session.session_data:
            kept = Kept(session_data=session.session_data)
            self._new_sessions.put(id(session.session_data), kept)
        session.parley = kept  # type: ignore[union-attr]
        return kept

    def _write_document(self, session: Session, kept: Kept) -> None:
        session_id = session.session_id
        ours = plain(_row_of(session), _encoder.default)
        if kept.version and _unchanged(kept.document, ours):
            return
        base, document, version = kept.document, ours, kept.version
        for attempt in range(1, CONFLICTS + 1):
            document["updated_at"] = int(time.time())
            try:
                version = self.client.sessions.put_document(session_id, document, version)
                break
            except ParleyError as failure:
                _wait_if_changed(failure, attempt)
            now = self.client.sessions.document(session_id)
            if not self._is_open_to(now.document, ours.get("user_id")):
                raise PermissionError(
                    f"The session {session_id} was begun by another user, so this run is not kept. "
                    "ParleyDb(…, shared_sessions=True) lets several users speak in one session."
                )
            document, version = merged(base, ours, now.document), now.version
            document["user_id"] = now.document.get("user_id") or ours.get("user_id")
        if _name(document) and _name(document) != _name(base):
            self.client.sessions.rename(session_id, _name(document))
        kept.version, kept.document = version, document

    def _save_if_changed(self, session: Session, run: Run | Json) -> None:
        if isinstance(run, dict):
            self._runs.save(session.session_id, run, session.user_id)
            return
        known = getattr(run, "parley", None)
        outline = _outline(run)
        if known is not None and known[0] == outline:
            return
        version = known[1] if known is not None and known[0][0] == outline[0] else None
        try:
            written = self._runs.save(session.session_id, run.to_dict(), session.user_id, version)
        except ParleyError as failure:
            # This process has read the run and not taken it further; the one that did knows better.
            if failure.slug != "document-changed":
                raise
            return
        if outline[0] not in GOING_ON:
            run.parley = (outline, written)  # type: ignore[union-attr]

    def _session_from(self, session_type: SessionType | None, record: Json, kept: Kept, found: list[Loaded]) -> Session:
        """The session, with notes on it and its runs of what was read: so saving them writes only what has changed."""
        shared = SAVES_RUNS_ALONE and record.get("session_type") == SessionType.AGENT.value
        record["runs"] = [] if shared else [each.run() for each in found]
        session = deserialize_session(SessionType(session_type) if session_type is not None else None, record)
        if shared and isinstance(session, AgentSession):
            session.runs = [self._shared_run(record["session_id"], each) for each in found]
        session.parley = kept  # type: ignore[union-attr]
        versions = {each.id: each.version for each in found}
        for run in session.runs or []:
            if not isinstance(run, dict) and run.run_id in versions:
                run.parley = (_outline(run), versions[run.run_id])  # type: ignore[union-attr]
        return session

    def _shared_run(self, session_id: str, loaded: Loaded) -> Any:
        """A run that was made into an object before. Agno 3 copies a run of old before it changes it, by contract."""
        key, state = (session_id, loaded.id), (loaded.version, loaded.generation)
        known = self._run_objects.get(key)
        if known is not None and loaded.generation and known[0] == state:
            return known[1]
        run = _run_from(loaded.run())
        self._run_objects.put(key, (state, run))
        return run

    def _all_sessions(self) -> Iterable[tuple[Json, Kept]]:
        for row in self.client.sessions.list():
            kept = self.client.sessions.document(row["session_id"])
            if kept.version:
                record = {"session_id": row["session_id"], **plain(kept.document, _encoder.default)}
                yield record, Kept(kept.version, kept.document)


def _row_of(session: Session) -> Json:
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


def _run_from(run: Json) -> Run:
    if run.get("agent_id") or run.get("agent_name"):
        return RunOutput.from_dict(run)
    if run.get("team_id") or run.get("team_name"):
        return TeamRunOutput.from_dict(run)
    return WorkflowRunOutput.from_dict(run)


def _outline(run: Run) -> tuple[Any, ...]:
    """Tells whether a run's fields were replaced or its lists have grown, without making a dict of all of it."""
    if not is_dataclass(run):
        return (None, id(run))
    status = getattr(run.status, "value", run.status)
    values = [getattr(run, each.name) for each in fields(run)]
    return (status, *((id(value), len(value) if isinstance(value, (list, dict)) else None) for value in values))


def _dict_of(run: Run | Json) -> Json:
    return run if isinstance(run, dict) else run.to_dict()


def _unchanged(before: Json, now: Json) -> bool:
    return {**before, "updated_at": None} == {**now, "updated_at": None}


def _components(record: Json) -> set[Any]:
    return {record.get("agent_id"), record.get("team_id"), record.get("workflow_id")}


def _name(document: Json) -> str:
    return str((document.get("session_data") or {}).get("session_name") or "")


def _wait_if_changed(failure: ParleyError, attempt: int) -> None:
    if failure.slug != "document-changed" or attempt >= CONFLICTS:
        raise failure
    time.sleep(min(pause_before(attempt) / 4, 0.5))

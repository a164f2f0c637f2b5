"""A Db for Agno that keeps sessions in Parley."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agno.db.base import BaseDb, SessionType

from parley.agno.documents import Json, plain
from parley.agno.elsewhere import delegating
from parley.agno.keeping import Runs
from parley.agno.objects import SessionObjects
from parley.agno.session_documents import Kept, SessionDocuments
from parley.agno.shapes import Run, Session, as_json, components_of, dict_of, name_of, row_of, run_from
from parley.agno.versions import READS_REFERENCES, SAVES_RUNS_ALONE, close
from parley.client import Parley
from parley.errors import ParleyError
from parley.sessions import Media


class ParleyDb(delegating(BaseDb)):  # type: ignore[misc]
    """Keeps sessions of agents, teams and workflows in Parley: `Agent(db=ParleyDb("http://127.0.0.1:8080", token))`.

    Any number of processes may work in one session: messages and runs are only ever added, and what two of them change
    of a session's own data is merged. What Parley does not keep (memories, knowledge, …) is asked of `fallback`.
    `shared_sessions` lets several users speak in one session; without it a session belongs to the user who began it.
    """

    def __init__(
        self,
        base_url: str,
        token: str | None = None,
        *,
        media: Media = "inline",
        fallback: BaseDb | None = None,
        shared_sessions: bool = False,
        id: str | None = None,
        timeout: float = 60.0,
    ):
        if media == "reference" and not READS_REFERENCES:
            raise ValueError("This Agno reads no references; ask for media=\"url\".")
        super().__init__(id=id or f"parley:{base_url}")
        self.client = Parley(base_url, token, timeout)
        self.fallback = fallback
        self._base_url = base_url
        self._runs = Runs(self.client.sessions, media, as_json)
        self._documents = SessionDocuments(self.client.sessions, shared_sessions)
        self._objects = SessionObjects(self._runs)

    # --- The Db itself ---

    def to_dict(self) -> Json:
        """How it was made, without the token."""
        return {"type": "parley", "id": self.id, "base_url": self._base_url}

    def close(self) -> None:
        self.client.close()
        if self.fallback is not None:
            close(self.fallback)

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
        kept = self._documents.find(session_id, user_id)
        if kept is None:
            return None
        found = self._runs.load(session_id, runs_limit)
        record = _record(session_id, kept)
        if not deserialize:
            return {**record, "runs": [each.run() for each in found]}
        return self._objects.session(session_type, record, kept, found)

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
            for record, kept in ((_record(session_id, kept), kept) for session_id, kept in self._documents.all())
            if self._documents.is_open_to(record, user_id)
            and (session_type is None or record.get("session_type") == SessionType(session_type).value)
            and (component_id is None or component_id in components_of(record))
            and (session_name is None or session_name.lower() in name_of(record).lower())
            and (start_timestamp is None or (record.get("created_at") or 0) >= start_timestamp)
            and (end_timestamp is None or (record.get("created_at") or 0) <= end_timestamp)
        ]
        order = sort_by or "created_at"
        matching.sort(key=lambda each: each[0].get(order) or 0, reverse=sort_order != "asc")
        shown = _page_of(matching, limit, page)
        sessions: list[Session] = []
        for record, kept in shown:
            found = self._runs.load(record["session_id"]) if include_runs else []
            if deserialize:
                sessions.append(self._objects.session(session_type, record, kept, found))
            else:
                record["runs"] = [each.run() for each in found]
        return sessions if deserialize else ([record for record, _ in shown], len(matching))

    def upsert_session(self, session: Session, deserialize: bool | None = True) -> Session | Json | None:
        """Writes what this process has changed of a session since it was read. Nothing of others is overwritten."""
        known = self._documents.known_of(session)
        is_new = known.version == 0
        self._documents.write(session, known)
        self._objects.save(session, with_runs=is_new or not SAVES_RUNS_ALONE)
        if deserialize:
            return session
        return {
            **row_of(session),
            "session_id": session.session_id,
            "runs": [dict_of(run) for run in session.runs or []],
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
        if not self._documents.rename(session_id, session_name, user_id):
            return None
        return self.get_session(session_id, session_type, user_id, deserialize)

    def delete_session(self, session_id: str, user_id: str | None = None) -> bool:
        """Deletes a session for good. Parley never gives its id to another one."""
        if user_id is not None and self._documents.find(session_id, user_id) is None:
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
        self._runs.save(session_id, dict_of(run), user_id)

    def get_run(self, run_id: str, deserialize: bool | None = True) -> Run | Json | None:
        session_id = self._runs.session_of(run_id)
        found = self._runs.load_one(session_id, run_id) if session_id is not None else None
        if found is None:
            return None
        return run_from(found.run()) if deserialize else found.run()

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
        shown = _page_of(runs, limit, page)
        return [run_from(run) for run in shown] if deserialize else (shown, len(runs))

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

    def ask(self, session_id: str, run: Run | Json) -> None:
        """Called by `stream_to` before a run's first event, so that the log has the question before the answer."""
        asked = dict_of(run)
        # A session of another user is refused when the run is saved.
        if self._documents.is_free_for(session_id, asked.get("user_id")):
            self._runs.ask(session_id, asked)

    def watch(self, session_id: str, flush: Callable[[], None]) -> Callable[[], None]:
        """Called by `stream_to` when it begins to send a run's events. Returns what it calls at the end."""
        return self._runs.watch(session_id, flush)

    def settle(self, session_id: str) -> None:
        """Called by `stream_to` once a watched run has ended."""
        self._runs.settle(session_id)


def _record(session_id: str, kept: Kept) -> Json:
    """A copy: Agno's from_dict changes what it is given."""
    return {"session_id": session_id, **plain(kept.document, as_json)}


def _page_of(found: list[Any], limit: int | None, page: int | None) -> list[Any]:
    begin = ((page or 1) - 1) * limit if limit is not None else 0
    return found[begin : begin + limit if limit is not None else None]

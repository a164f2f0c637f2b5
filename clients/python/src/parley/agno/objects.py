"""Sessions and runs as Agno's objects, which know what was read: so saving them writes only what has changed."""

from __future__ import annotations

from typing import Any

from agno.db.base import SessionType
from agno.session import AgentSession

from parley.agno.documents import Json, ancestors_of
from parley.agno.hearing import Recent
from parley.agno.keeping import Loaded, Runs
from parley.agno.session_documents import Kept
from parley.agno.shapes import Run, Session, dict_of, outline_of, run_from
from parley.agno.versions import SAVES_RUNS_ALONE, session_from
from parley.errors import ParleyError

GOING_ON = {"RUNNING", "PENDING", "PAUSED"}
KNOWN_RUNS = 2_000


class SessionObjects:
    """Makes objects of what was read, and saves of them what was changed."""

    def __init__(self, runs: Runs):
        self._runs = runs
        self._made: Recent[tuple[str, str], tuple[tuple[int, int], Run]] = Recent(KNOWN_RUNS)

    def session(self, session_type: SessionType | None, record: Json, kept: Kept, found: list[Loaded]) -> Session:
        shared = SAVES_RUNS_ALONE and record.get("session_type") == SessionType.AGENT.value
        record["runs"] = [] if shared else [each.run() for each in found]
        session = session_from(session_type, record)
        if shared and isinstance(session, AgentSession):
            session.runs = [self._shared_run(record["session_id"], each) for each in found]
        session.parley = kept  # type: ignore[union-attr]
        versions = {each.id: each.version for each in found}
        for run in session.runs or []:
            if not isinstance(run, dict) and run.run_id in versions:
                run.parley = (outline_of(run), versions[run.run_id])  # type: ignore[union-attr]
        return session

    def save(self, session: Session, with_runs: bool) -> None:
        """Saves the runs that were changed. Agno lists members before their team, whose question has to come first.

        Without `with_runs` Agno is about to save each run by itself; then only those questions are written.
        """
        runs = session.runs or []
        by_id = {_fact(run, "run_id"): run for run in runs if _fact(run, "run_id")}
        parents = {run_id: _fact(run, "parent_run_id") for run_id, run in by_id.items()}
        for run in runs:
            if getattr(run, "parley", None) is None:
                for above in ancestors_of(_fact(run, "run_id"), parents):
                    self._runs.ask(session.session_id, dict_of(by_id[above]), session.user_id)
            if with_runs:
                self._save_if_changed(session, run)

    def _save_if_changed(self, session: Session, run: Run | Json) -> None:
        if isinstance(run, dict):
            self._runs.save(session.session_id, run, session.user_id)
            return
        known = getattr(run, "parley", None)
        outline = outline_of(run)
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

    def _shared_run(self, session_id: str, loaded: Loaded) -> Any:
        """A run that was made into an object before. Agno 3 copies a run of old before it changes it, by contract."""
        key, state = (session_id, loaded.id), (loaded.version, loaded.generation)
        known = self._made.get(key)
        if known is not None and loaded.generation and known[0] == state:
            return known[1]
        run = run_from(loaded.run())
        self._made.put(key, (state, run))
        return run


def _fact(run: Run | Json, name: str) -> Any:
    return run.get(name) if isinstance(run, dict) else getattr(run, name, None)

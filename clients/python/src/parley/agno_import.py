"""Brings sessions from a database of Agno's into Parley: `python -m parley.agno_import --from agno.db --to URL`.

May be stopped and started again: messages, runs and sessions have ids, and what is there already is not written twice.
It starts no runs, and changes nothing in the database that it reads.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Protocol

from parley.agno.documents import Json, ancestors_of, spoken_in
from parley.agno.keeping import Runs
from parley.client import Parley
from parley.errors import ParleyError

JSON_COLUMNS = ("session_data", "agent_data", "team_data", "workflow_data", "metadata", "summary", "runs", "run_data")
AT_ONCE = 20


class Source(Protocol):
    """A database that can be asked; `?` stands for what is given."""

    def rows(self, statement: str, *given: Any) -> Iterator[Json]: ...


class Sqlite:
    def __init__(self, file: str):
        if not Path(file).is_file():
            raise SystemExit(f"There is no file {file}.")
        self._connection = sqlite3.connect(f"{Path(file).resolve().as_uri()}?mode=ro", uri=True)
        self._connection.row_factory = sqlite3.Row

    def rows(self, statement: str, *given: Any) -> Iterator[Json]:
        with closing(self._connection.cursor()) as cursor:
            for row in cursor.execute(statement, given):
                yield dict(row)


class Postgres:
    def __init__(self, url: str):
        try:
            import psycopg
            from psycopg.rows import dict_row
        except ImportError:
            raise SystemExit("Reading from PostgreSQL needs psycopg: pip install 'parley-client[postgres]'.") from None
        self._connection = psycopg.connect(url.replace("+psycopg", ""), row_factory=dict_row)
        self._connection.read_only = True

    def rows(self, statement: str, *given: Any) -> Iterator[Json]:
        with self._connection.cursor() as cursor:
            yield from cursor.execute(statement.replace("?", "%s"), given)


@dataclass
class Counts:
    sessions: int = 0
    runs: int = 0
    messages: int = 0
    left_alone: int = 0

    def __str__(self) -> str:
        return ", ".join(f"{getattr(self, each.name)} {each.name.replace('_', ' ')}" for each in fields(self))


def bring(source: Source, parley: Parley, sessions_table: str, runs_table: str | None) -> Iterator[Counts]:
    """Brings session after session, and says after each how many there were."""
    counts = Counts()
    table = _quoted(sessions_table)
    ids = [row["session_id"] for row in source.rows(f"select session_id from {table} order by created_at, session_id")]
    for session_id in ids:
        for row in source.rows(f"select * from {table} where session_id = ?", session_id):
            session = _parsed(row)
            runs = list(session.pop("runs", None) or [])
            runs += _own_rows(source, runs_table, session_id, {run.get("run_id") for run in runs})
            _bring_session(parley, session, runs, counts)
            yield counts


def _bring_session(parley: Parley, session: Json, runs: list[Json], counts: Counts) -> None:
    session_id = session.pop("session_id")
    began = session.get("created_at")
    title = (session.get("session_data") or {}).get("session_name")

    def write(name: str, events: list[Json]) -> list[Json]:
        dated = [{**event, "created_at": event["message"].get("created_at") or began} for event in events]
        return parley.sessions.import_(name, dated, title=title)

    keeper = Runs(parley.sessions, "inline", None, write)
    by_id = {run["run_id"]: run for run in runs if run.get("run_id")}
    parents = {run_id: run.get("parent_run_id") for run_id, run in by_id.items()}
    for run in runs:
        if run.get("run_id"):
            # Agno lists a team's members before the team, whose question was asked first.
            for above in ancestors_of(run["run_id"], parents):
                keeper.ask(session_id, by_id[above], session.get("user_id"))
            keeper.save(session_id, run, session.get("user_id"))
            counts.runs += 1
            counts.messages += sum(not each.from_history for each in spoken_in(run))
    session = {name: value for name, value in session.items() if value is not None}
    try:
        parley.sessions.put_document(session_id, session, 0)
    except ParleyError as failure:
        if failure.slug != "document-changed":
            raise
        # An earlier import, or an agent that has gone on with the session here since.
        if parley.sessions.document(session_id).document != session:
            counts.left_alone += 1
    counts.sessions += 1


def _own_rows(source: Source, table: str | None, session_id: str, known: set[Any]) -> Iterator[Json]:
    """Runs that have rows of their own, as from Agno 3 on."""
    if table is None:
        return
    statement = f"select run_data from {_quoted(table)} where session_id = ? order by run_index, created_at"
    for row in source.rows(statement, session_id):
        run = _parsed(row)["run_data"]
        if run and run.get("run_id") not in known:
            yield run


def _parsed(row: Json) -> Json:
    for name in JSON_COLUMNS:
        # Agno's SQLite has the text of a text.
        while isinstance(row.get(name), str):
            row[name] = json.loads(row[name])
    return row


def _quoted(table: str) -> str:
    return ".".join('"' + part.replace('"', '""') + '"' for part in table.split("."))


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m parley.agno_import", description=__doc__)
    parser.add_argument("--from", dest="source", required=True, help="a SQLite file, or postgresql://…")
    parser.add_argument("--to", required=True, help="the address of the Parley server")
    parser.add_argument(
        "--token",
        default=os.environ.get("PARLEY_TOKEN"),
        help="else from PARLEY_TOKEN; without both the caller is the local user of a first start",
    )
    parser.add_argument("--table", default="agno_sessions", help="the sessions; for PostgreSQL often ai.agno_sessions")
    parser.add_argument("--runs-table", help="the runs, if they have a table of their own (Agno 3: agno_runs)")
    given = parser.parse_args(arguments)
    source = Postgres(given.source) if given.source.startswith("postgres") else Sqlite(given.source)
    counts = Counts()
    with Parley(given.to, given.token) as parley:
        try:
            for counts in bring(source, parley, given.table, given.runs_table):
                if counts.sessions % AT_ONCE == 0:
                    print(f"so far: {counts}", file=sys.stderr)
        except ParleyError as failure:
            print(f"stopped after {counts}: {failure}. Start it again to go on.", file=sys.stderr)
            return 1
    print(f"brought: {counts}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

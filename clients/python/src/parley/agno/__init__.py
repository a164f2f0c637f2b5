"""Agno on Parley: a Db for its agents and teams, and a way to let others watch a run."""

from parley.agno.db import ParleyDb
from parley.agno.watching import astream_to, stream_to

__all__ = ["ParleyDb", "astream_to", "stream_to"]

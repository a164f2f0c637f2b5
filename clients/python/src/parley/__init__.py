"""Client of the Parley conversation server. It needs nothing but the standard library."""

from parley.client import Parley
from parley.errors import ParleyError, Stopped, Unreachable
from parley.runs import RunStream
from parley.sessions import Document, Sessions

__all__ = ["Document", "Parley", "ParleyError", "RunStream", "Sessions", "Stopped", "Unreachable"]

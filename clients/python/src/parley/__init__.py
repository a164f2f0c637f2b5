"""Client of the Parley conversation server. It needs nothing but the standard library."""

from parley.client import Parley
from parley.driven_run import DrivenRun
from parley.errors import ParleyError, StaleContext, Stopped, StreamBroken, Unreachable
from parley.ids import fresh_id
from parley.legacy import strip_legacy_ingest_prefix
from parley.participation import compute_stale_lag, is_stale, should_respond
from parley.run_events import PlacedEvent, Resync
from parley.runs import RunStream
from parley.sessions import Document, Sessions
from parley.stream import Stream
from parley.thread import ThreadClient

# The names that the helpers have in every client.
isStale = is_stale
computeStaleLag = compute_stale_lag
shouldRespond = should_respond
stripLegacyIngestPrefix = strip_legacy_ingest_prefix

__all__ = [
    "Document",
    "DrivenRun",
    "Parley",
    "ParleyError",
    "PlacedEvent",
    "Resync",
    "RunStream",
    "Sessions",
    "StaleContext",
    "Stopped",
    "Stream",
    "StreamBroken",
    "ThreadClient",
    "Unreachable",
    "computeStaleLag",
    "compute_stale_lag",
    "fresh_id",
    "isStale",
    "is_stale",
    "shouldRespond",
    "should_respond",
    "stripLegacyIngestPrefix",
    "strip_legacy_ingest_prefix",
]

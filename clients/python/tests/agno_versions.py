"""What the tests use of Agno and its versions have in different places."""

from dataclasses import fields
from importlib.metadata import version
from typing import Any

import agno.run.agent

try:
    from agno.metrics import MessageMetrics
except ImportError:  # Agno 2.3
    from agno.models.metrics import Metrics as MessageMetrics

AGNO = version("agno")
AGNO_2 = AGNO.startswith("2.")
# Agno 2.3 reports the usage of a whole run only, at its end.
REPORTS_REQUESTS = hasattr(agno.run.agent, "ModelRequestCompletedEvent")


def metrics(**figures: Any) -> MessageMetrics:
    """A message's metrics with the figures that this Agno knows."""
    known = {field.name for field in fields(MessageMetrics)}
    return MessageMetrics(**{name: value for name, value in figures.items() if name in known})

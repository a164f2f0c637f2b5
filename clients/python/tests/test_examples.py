"""The examples run as they are."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.parametrize(
    ("name", "ending"),
    [
        ("agno_tool_calls.py", "The last three: ['tool', 'tool', 'assistant']\nThe same for a model: ['assistant']\n"),
        ("agno_streaming.py", "assistant: 1 2 3 "),
    ],
)
def test_an_example_runs(url: str, token: str, name: str, ending: str) -> None:
    environment = {**os.environ, "PARLEY_URL": url, "PARLEY_TOKEN": token}
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name)], env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert ending in done.stdout
    assert "cancelled" in done.stdout or name != "agno_streaming.py"

"""Tests run against a real server, which `./parley test-python` starts and names by environment."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator

import pytest

from parley import Parley
from parley.types.chat import Scope

# Agno would otherwise tell its makers of every run.
os.environ["AGNO_TELEMETRY"] = "false"


def _named(name: str) -> str:
    value = os.environ.get(name)
    if not value:
        pytest.exit(f"{name} is not set. `./parley test-python` starts a server and sets it.", 2)
    return value


@pytest.fixture(scope="session")
def url() -> str:
    return _named("PARLEY_TEST_URL")


@pytest.fixture(scope="session")
def token() -> str:
    return _named("PARLEY_TEST_TOKEN")


@pytest.fixture(scope="session")
def data() -> str:
    """The server's own folder, by whose secret tokens are made."""
    return _named("PARLEY_TEST_DATA")


@pytest.fixture
def parley(url: str, token: str) -> Iterator[Parley]:
    with Parley(url, token) as client:
        yield client


@pytest.fixture
def session_id() -> str:
    return f"session-{uuid.uuid4()}"


@pytest.fixture
def thread_id(parley: Parley) -> str:
    """A thread of the tester's."""
    return parley.threads.create(title="Thread of a test")["thread_id"]


@pytest.fixture
def agent_token(parley: Parley, thread_id: str) -> str:
    """The token of an external agent that takes part in the thread."""
    agent = parley.owner.create_agent("Ada's Agent 世界", "external")
    parley.thread(thread_id).add_participants([agent["sender_id"]])
    scopes: list[Scope] = ["observe", "speak", "manage_thread", "run"]
    token = parley.owner.create_token(agent["agent_id"], scopes=scopes)["raw_token"]
    assert token is not None
    return token

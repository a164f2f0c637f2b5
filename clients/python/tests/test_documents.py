"""Runs what the documents print: the quickstart with Agno, the README of this client, and the examples."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
import sysconfig
import uuid
from pathlib import Path

import pytest
from agno.agent import Agent
from agno_versions import AGNO_2
from scripted import ScriptedModel
from scripted_openai import ScriptedOpenAi

from parley import Parley
from parley.agno import ParleyDb

ROOT = Path(__file__).parents[3]
PRINTED_ADDRESS = "http://127.0.0.1:8080"
AGNO_PAGE = (ROOT / "docs/use/agno.md").read_text()
QUICKSTART = re.search(r"^## Five minutes$(.*?)^## ", AGNO_PAGE, re.M | re.S)
ENDINGS = {
    "agno_tool_calls.py": "The last three: ['tool', 'tool', 'assistant']\nThe same for a model: ['assistant']\n",
    "agno_streaming.py": "assistant: 1 2 3 ",
}


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


def ran(script: str, folder: Path, **environment: str) -> str:
    """The output of a shell that ends at the first command that fails. Nothing of the caller's token gets in."""
    packages = sysconfig.get_paths()["purelib"]
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PARLEY_")}
    path = f"{Path(sys.executable).parent}{os.pathsep}{clean['PATH']}"
    # The packages that a reader fetches are here already, and so is what builds the client: no network is needed.
    own = {"PATH": path, "PYTHONPATH": packages, "PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0"}
    done = subprocess.run(
        ["bash", "-eu", "-o", "pipefail", "-c", script],
        cwd=folder,
        env={**clean, **own, **environment},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder from which the documents' relative paths lead to the sources."""
    for name in ("clients", "examples", "parley"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


@pytest.mark.skipif(AGNO_2, reason="pip gives the quickstart's reader the newest Agno")
def test_quickstart_of_agno_can_be_pasted(url: str, data: str, project: Path) -> None:
    assert QUICKSTART is not None
    page, session_id = QUICKSTART[1].replace(PRINTED_ADDRESS, url), f"support-{uuid.uuid4()}"
    serve, install, key, example, token = blocks(page, "bash")
    (program,) = blocks(page, "python")
    # ReadmeTest runs this one.
    assert serve == "./parley serve\n"
    assert "`python hello.py`" in page
    (project / "hello.py").write_text(program.replace("support-42", session_id))

    with ScriptedOpenAi() as model:
        script = install + key + "python hello.py\n" + example
        output = ran(script, project, OPENAI_BASE_URL=f"{model.url}/v1", PARLEY_URL=url)
    assert "You said: Hello\nYou said: Hello | What did I say?\n" in output
    assert ENDINGS["agno_streaming.py"] in output

    with Parley(url) as local:
        thread_id = local.sessions.find(session_id)["thread_id"]
        assert thread_id in [each["thread_id"] for each in local.threads.list()["threads"]]
        assert local.thread(thread_id).get()["title"] == "Hello"
    with Parley(url, ran(token, project, PARLEY_DATA=data).strip()) as ada:
        assert ada.who_am_i()["display_name"] == "Ada"


def test_further_programs_of_agnos_page_can_be_pasted(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    session_id = str(uuid.uuid4())
    page = AGNO_PAGE.replace(PRINTED_ADDRESS, url).replace('"s-1"', f'"{session_id}"')
    agent = Agent(name="Ada", model=ScriptedModel(), db=ParleyDb(url), telemetry=False)
    names: dict[str, object] = {"agent": agent}
    _, *programs = blocks(page, "python")
    assert len(programs) == 2
    for program in programs:
        exec(compile(program, "agno.md", "exec"), names)
    assert "You said: Tell me a story" in capsys.readouterr().out
    with Parley(url) as local:
        roles = [row["role"] for row in local.sessions.chat_events(session_id)]
    assert sorted(roles) == ["assistant", "assistant", "user", "user"]


def test_readme_of_the_client_can_be_pasted(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "clients/python/README.md").read_text().replace(PRINTED_ADDRESS, url)
    names: dict[str, object] = {}
    for block in blocks(text.replace("support-42", str(uuid.uuid4())), "python"):
        exec(compile(block, "README.md", "exec"), names)
    output = capsys.readouterr().out
    assert "Hello!" in output
    assert "The weather in Lisbon" in output
    parley, thread = names["parley"], names["thread"]
    assert isinstance(parley, Parley)
    contents = [each["content"] for each in parley.thread(thread.id).messages.all()]  # type: ignore[attr-defined]
    assert contents[-1] == "Hello from outside."
    assert len(names["history"]) == 1  # type: ignore[arg-type]


def test_readme_of_the_client_names_calls_that_exist(parley: Parley) -> None:
    text = (ROOT / "clients/python/README.md").read_text()
    objects = {"parley": parley, "thread": parley.thread("x")}
    rows = re.findall(r"^\| `(parley|thread)\.(\w+)` \| (.*) \|$", text, re.M)
    assert len(rows) >= 5
    for owner, member, calls in rows:
        target = getattr(objects[owner], member, None) or importlib.import_module(f"parley.{member}")
        named = [name for name in re.findall(r"`(\w+)`", re.sub(r"\(.*?\)", "", calls))]
        assert [name for name in named if not hasattr(target, name)] == []


@pytest.mark.parametrize(("name", "with_token"), [("agno_tool_calls.py", False), ("agno_streaming.py", True)])
def test_example_runs_as_it_says(url: str, token: str, project: Path, name: str, with_token: bool) -> None:
    _, command = re.findall(r"^    (\S.*)$", (ROOT / "examples" / name).read_text().split('"""')[1], re.M)
    assert command == f"python examples/{name}"
    given = {"PARLEY_TOKEN": token} if with_token else {}
    output = ran(command, project, PARLEY_URL=url, **given)
    assert ENDINGS[name] in output
    assert "cancelled" in output or name != "agno_streaming.py"

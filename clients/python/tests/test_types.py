"""The types are written by hand: each must have the members of the server's own schema of that name."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import Any, get_type_hints, is_typeddict

import pytest
import yaml

import parley.types
from parley.types import chat, owner, runs

CLIENT = Path(__file__).parents[1]
DOCUMENT = CLIENT.parents[1] / "server/src/main/resources/openapi/openapi.yaml"
SCHEMAS = yaml.load(DOCUMENT.read_text(), getattr(yaml, "CSafeLoader", yaml.SafeLoader))["components"]["schemas"]
TYPES = {
    name: value
    for module in (chat, owner, runs)
    for name, value in vars(module).items()
    if is_typeddict(value) and not name.startswith("_")
}


def test_types_of_every_face_are_exported() -> None:
    defined = [name for module in (chat, owner, runs) for name in _defined_in(Path(module.__file__ or ""))]
    assert {"Message", "Actor", "AgentView", "AgentKind", "RunView", "HistoryMessage"} <= set(defined)
    assert sorted(parley.types.__all__) == sorted(defined)
    assert [name for name in defined if not hasattr(parley.types, name)] == []


def test_client_passes_the_type_checker(tmp_path: Path) -> None:
    """The hand-written types are used as they are declared. Agno's part would take ten times as long."""
    pytest.importorskip("mypy", reason="one of the tested environments has it")
    modules = [str(each) for each in (CLIENT / "src/parley").glob("*.py") if each.name != "agno_import.py"]
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--cache-dir",
        str(tmp_path),
        "--config-file",
        str(CLIENT / "pyproject.toml"),
    ]
    checked = subprocess.run([*command, *modules], capture_output=True, text=True, cwd=CLIENT)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize("name", TYPES)
def test_type_has_the_members_of_its_schema(name: str) -> None:
    schema = SCHEMAS[name]
    assert sorted(get_type_hints(TYPES[name])) == sorted(schema["properties"])
    assert sorted(TYPES[name].__required_keys__) == sorted(schema.get("required", []))
    for member, hint in get_type_hints(TYPES[name]).items():
        assert (type(None) in getattr(hint, "__args__", ())) == _is_nullable(schema["properties"][member]), member


def _is_nullable(schema: dict[str, Any]) -> bool:
    alternatives = schema.get("anyOf") or schema.get("oneOf") or [schema]
    return any(each.get("type") == "null" or "null" in (each.get("type") or []) for each in alternatives)


def _defined_in(file: Path) -> list[str]:
    """The names of the classes and aliases of a module, without those that it imports."""
    body = ast.parse(file.read_text()).body
    classes = [each.name for each in body if isinstance(each, ast.ClassDef)]
    aliases = [target.id for each in body if isinstance(each, ast.Assign) for target in each.targets]  # type: ignore
    return [name for name in classes + aliases if not name.startswith("_")]

"""The types are written by hand: each must have the members of the server's own schema of that name."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_type_hints, is_typeddict

import pytest
import yaml

from parley.types import chat, owner, runs

DOCUMENT = Path(__file__).parents[3] / "server/src/main/resources/openapi/openapi.yaml"
SCHEMAS = yaml.load(DOCUMENT.read_text(), getattr(yaml, "CSafeLoader", yaml.SafeLoader))["components"]["schemas"]
TYPES = {
    name: value
    for module in (chat, owner, runs)
    for name, value in vars(module).items()
    if is_typeddict(value) and not name.startswith("_")
}


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

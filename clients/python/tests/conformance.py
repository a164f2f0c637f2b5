"""Measures what Agno itself loses between to_dict and from_dict. `python conformance.py` prints the table."""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import Any

from agno.models.message import Message
from examples_of_messages import MEDIA, messages_by_field, messages_by_medium

NOT_KEPT = "not written by `to_dict`"


def measured() -> dict[str, str]:
    """What becomes of each field and medium in this version of Agno. What is kept whole is left out."""
    results: dict[str, list[str]] = {}
    for field, variant, message in messages_by_field():
        result = _of_field(field, message)
        if result:
            results.setdefault(f"`{field}`", []).append(result if variant == "set" else f"{variant}: {result}")
    for kind, source, message in messages_by_medium():
        result = _of_medium(kind, message)
        if result:
            results.setdefault(f"{kind}, from {source}", []).append(result)
    return {name: "; ".join(dict.fromkeys(lines)) for name, lines in results.items()}


def _of_field(field: str, message: Message) -> str | None:
    written = message.to_dict()
    try:
        again = Message.from_dict(json.loads(json.dumps(written)))
    except Exception as failure:
        return f"refused by `from_dict` ({type(failure).__name__})"
    if again.to_dict() != written:
        return "changed by `from_dict`"
    before, after = _plain(getattr(message, field)), _plain(getattr(again, field))
    if before == after:
        return None
    return NOT_KEPT if field not in written else "changed by `from_dict`"


def _of_medium(kind: str, message: Message) -> str | None:
    written = message.to_dict()
    try:
        again = Message.from_dict(json.loads(json.dumps(written)))
    except Exception as failure:
        return f"refused by `from_dict` ({type(failure).__name__})"
    field = next((field for name, (field, _, _) in MEDIA.items() if kind.startswith(name)), "images")
    before, after = (_plain(getattr(each, field)[0]) for each in (message, again))
    lost = [f"`{name}`" for name in before if before[name] != after.get(name)]
    return "loses or changes " + ", ".join(lost) if lost else None


def _plain(value: Any) -> Any:
    if hasattr(value, "model_dump"):
        return value.model_dump()
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return value


if __name__ == "__main__":
    print(f"| what | {version('agno')} |\n|---|---|")
    for name, result in measured().items():
        print(f"| {name} | {result} |")

"""What becomes of a session's document when two processes have changed it."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]


def merged(base: Json, ours: Json, theirs: Json) -> Json:
    """Both changes of what was the base. Where both changed the same value, ours stands; counters are added up."""
    result = _merged(base, ours, theirs, ())
    times = [each["created_at"] for each in (ours, theirs) if isinstance(each.get("created_at"), int)]
    if times:
        result["created_at"] = min(times)
    return result


def _merged(base: Any, ours: Any, theirs: Any, place: tuple[str, ...]) -> Any:
    if place == ("session_data", "session_metrics"):
        return _summed(base, ours, theirs)
    if not isinstance(ours, dict) or not isinstance(theirs, dict):
        return theirs if ours == base else ours
    before = base if isinstance(base, dict) else {}
    result: Json = {}
    for name in [*theirs, *(name for name in ours if name not in theirs)]:
        if name not in ours:
            # Either they added it, or we took it away.
            if name not in before:
                result[name] = theirs[name]
        elif name not in theirs:
            if name not in before or ours[name] != before[name]:
                result[name] = ours[name]
        else:
            result[name] = _merged(before.get(name), ours[name], theirs[name], (*place, name))
    return result


def _summed(base: Any, ours: Any, theirs: Any) -> Any:
    """Theirs and what we have counted since the base."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        before = base if isinstance(base, dict) else {}
        return {
            name: _summed(before.get(name), ours.get(name), theirs.get(name))
            for name in [*theirs, *(name for name in ours if name not in theirs)]
        }
    if isinstance(ours, list) and isinstance(theirs, list):
        return _summed_lists(base if isinstance(base, list) else [], ours, theirs)
    if _is_number(ours) and _is_number(theirs):
        return theirs + ours - (base if _is_number(base) else 0)
    return theirs if ours is None or ours == base else ours


def _summed_lists(base: list[Any], ours: list[Any], theirs: list[Any]) -> list[Any]:
    """Lists of what each model used: entries belong together that name the same model."""

    def model(entry: Any) -> Any:
        return (entry.get("id"), entry.get("provider")) if isinstance(entry, dict) else None

    result = list(theirs)
    for entry in ours:
        before = next((each for each in base if model(each) == model(entry)), None)
        at = next((index for index, each in enumerate(result) if model(each) == model(entry)), None)
        if at is None:
            result.append(entry)
        else:
            result[at] = _summed(before, entry, result[at])
    return result


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)

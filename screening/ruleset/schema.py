"""A table of a rule file -> its checked values, or a RuleError that names the file, the entry, the key and the remedy."""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from core.errors import RuleError

REQUIRED = object()
_KINDS: Mapping[type, str] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    tuple: "a list of texts",
    dict: "a table",
    date: "a date such as 2027-12-31",
}


@dataclass(frozen=True, slots=True)
class Key:
    kind: type
    default: Any = REQUIRED
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None


def read_table(raw: object, keys: Mapping[str, Key], place: str) -> dict[str, Any]:
    """`raw` checked against `keys`, with the defaults filled in; `place` opens each message."""
    if not isinstance(raw, dict):
        raise RuleError(f"{place}: must be a table")
    for name in raw:
        if name not in keys:
            raise RuleError(f"{place}: unknown key {name!r}{nearest(name, keys)}")
    values = {}
    for name, key in keys.items():
        if name in raw:
            values[name] = _checked(raw[name], key, f"{place}: {name}")
        elif key.default is REQUIRED:
            raise RuleError(f"{place}: the key {name!r} is missing; add it")
        else:
            values[name] = key.default
    return values


def nearest(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.0)
    return f"; did you mean {close[0]!r}?" if close else ""


def _checked(value: object, key: Key, place: str) -> Any:
    converted = _converted(value, key.kind, place)
    if key.choices and converted not in key.choices:
        raise RuleError(
            f"{place} is {converted!r}, but must be one of {', '.join(key.choices)}{nearest(str(converted), key.choices)}"
        )
    if key.low is not None and converted < key.low:
        raise RuleError(f"{place} is {converted}, but must be at least {key.low}")
    if key.high is not None and converted > key.high:
        raise RuleError(f"{place} is {converted}, but must be at most {key.high}")
    return converted


def _converted(value: object, kind: type, place: str) -> Any:
    if kind is tuple and isinstance(value, list) and all(isinstance(part, str) for part in value):
        return tuple(value)
    if kind is float and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if (
        kind is not tuple
        and kind is not float
        and isinstance(value, kind)
        and not (kind is int and isinstance(value, bool))
    ):
        return value
    raise RuleError(f"{place} must be {_KINDS[kind]}")

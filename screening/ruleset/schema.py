"""A table of a rule file -> its checked values, or a RuleError that names file, entry, key and remedy."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.checks import converted, did_you_mean, kind_in_words, out_of_bounds
from core.errors import RuleError

REQUIRED = object()


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
            raise RuleError(f"{place}: unknown key {name!r}{did_you_mean(name, keys)}")
    values = {}
    for name, key in keys.items():
        if name in raw:
            values[name] = _checked(raw[name], key, f"{place}: {name}")
        elif key.default is REQUIRED:
            raise RuleError(f"{place}: the key {name!r} is missing; add it")
        else:
            values[name] = key.default
    return values


def _checked(value: object, key: Key, place: str) -> Any:
    try:
        fitting = converted(value, key.kind)
    except ValueError:  # the value is not shown: in an allow list it may be a real one, written there by mistake
        raise RuleError(f"{place} must be {kind_in_words(key.kind)}") from None
    fault = out_of_bounds(fitting, key.low, key.high, key.choices)
    if fault:
        raise RuleError(f"{place} {fault}")
    return fitting

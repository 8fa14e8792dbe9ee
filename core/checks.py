"""A value from a TOML file, a flag or the environment -> the same in its own type and within its bounds."""

from collections.abc import Iterable
from datetime import date
from typing import Any

_KINDS: dict[type, str] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    tuple: "a list of texts",
    dict: "a table",
    date: "a date such as 2027-12-31",
}
_BOOLEANS = {"yes": True, "true": True, "no": False, "false": False}


def kind_in_words(kind: type) -> str:
    return _KINDS[kind]


def converted(value: Any, kind: type, *, from_text: bool = False) -> Any:
    """The value as `kind`, or a ValueError; `from_text` also reads the text of a flag or of the environment."""
    if from_text and isinstance(value, str):
        return _read_text(value, kind)
    if kind is tuple:
        fits = isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)
    elif kind is float:
        fits = isinstance(value, int | float) and not isinstance(value, bool)
    elif kind is int:
        whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        fits = whole and not isinstance(value, bool)  # a bool is an int in Python, but not to a reader
    else:
        return _same(value, kind)
    if not fits:
        raise ValueError
    return kind(value)


def out_of_bounds(value: Any, low: float | None, high: float | None, choices: Iterable[str]) -> str:
    """What is wrong with a converted value, in words that follow the name of its key; empty if it is fine."""
    if low is not None and value < low:
        return f"is {value}, but must be at least {low}; the nearest valid value is {low}"
    if high is not None and value > high:
        return f"is {value}, but must be at most {high}; the nearest valid value is {high}"
    allowed = tuple(choices)
    if allowed and value not in allowed:
        return f"is {value!r}, but must be one of {', '.join(allowed)}{did_you_mean(str(value), allowed)}"
    return ""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: the known one that is most like it."""
    import difflib  # only needed for a mistake, and every start of the program would pay for it

    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.0)
    return f"; did you mean {close[0]!r}?" if close else ""


def _read_text(text: str, kind: type) -> Any:
    if kind is str:
        return text
    if kind is tuple:
        return tuple(part.strip() for part in text.split(",") if part.strip())
    if kind is bool:
        if text.lower() not in _BOOLEANS:
            raise ValueError
        return _BOOLEANS[text.lower()]
    return kind(text.replace("_", ""))


def _same(value: object, kind: type) -> Any:
    if not isinstance(value, kind):
        raise ValueError
    return value

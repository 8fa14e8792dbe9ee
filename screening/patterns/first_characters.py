"""A regular expression -> what its matches can begin with, and what none of them contains."""

from collections.abc import Callable
from re import _constants as codes  # type: ignore[attr-defined]
from typing import Any

from screening.patterns.required_content import (
    LAST_ASCII,
    PLAIN_CATEGORIES,
    REPEATS,
    Parsed,
    UnknownError,
    is_digit,
    parsed,
)


def opens_with_digit(expression: str) -> bool:
    return _opens_with(is_digit, parsed(expression))


def opens_with_no_small_letter(expression: str) -> bool:
    return _opens_with(_is_no_small_letter, parsed(expression))


def _opens_with(wanted: Callable[[tuple[Any, Any]], bool], elements: Parsed) -> bool:
    """Whether that is sure of whatever matches begin with; nothing is known of an expression that may be empty."""
    for at, (code, value) in enumerate(elements):
        if code in (codes.AT, codes.ASSERT, codes.ASSERT_NOT):
            continue
        if code in REPEATS and value[0] == 0:
            return _opens_with(wanted, value[-1]) and _opens_with(wanted, elements[at + 1 :])
        if code in REPEATS or code is codes.SUBPATTERN:
            return _opens_with(wanted, value[-1])
        if code is codes.BRANCH:
            return all(_opens_with(wanted, [*branch, *elements[at + 1 :]]) for branch in value[1])
        return all(map(wanted, value)) if code is codes.IN else wanted((code, value))
    return False


def _is_no_small_letter(item: tuple[Any, Any]) -> bool:
    code, value = item
    if code is codes.RANGE:
        return not any(map(str.islower, map(chr, range(value[0], value[1] + 1))))
    return value is codes.CATEGORY_DIGIT or bool(code is codes.LITERAL and not chr(value).islower())


def never_holds(expression: str) -> frozenset[str]:
    """ASCII characters other than letters and digits that are in no match; none if that is not sure."""
    try:
        held = _held(parsed(expression))
    except UnknownError:
        return frozenset()
    return frozenset(chr(code) for code in range(LAST_ASCII + 1) if not chr(code).isalnum()) - held


def _held(elements: Parsed) -> frozenset[str]:
    return frozenset().union(*(_held_by(code, value) for code, value in elements))


def _held_by(code: Any, value: Any) -> frozenset[str]:
    if code is codes.LITERAL:
        return frozenset(chr(value))
    if code is codes.IN:
        return frozenset().union(*(_held_by(*item) for item in value))
    if code is codes.RANGE:
        return frozenset(map(chr, range(value[0], min(value[1], LAST_ASCII) + 1)))
    if code is codes.BRANCH:
        return frozenset().union(*map(_held, value[1]))
    if code in REPEATS or code is codes.SUBPATTERN:
        return _held(value[-1])
    if code is codes.CATEGORY and value in PLAIN_CATEGORIES:
        return frozenset(" \t\n\r\f\v_")
    if code in (codes.AT, codes.ASSERT, codes.ASSERT_NOT):
        return frozenset()
    raise UnknownError

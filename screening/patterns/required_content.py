"""A regular expression -> what every match must hold: only plain characters, a long number, a letter beyond ASCII."""

import re
import sys
from collections.abc import Sequence
from functools import reduce
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as regex_parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

LONG = 5  # digits
GAP = 2  # bytes that may be between two of them
_TOO_WIDE = 1_000
LAST_ASCII = 127
_DIGITS = range(ord("0"), ord("9") + 1)
REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
PLAIN_CATEGORIES = (codes.CATEGORY_DIGIT, codes.CATEGORY_SPACE, codes.CATEGORY_WORD)
Parsed = Sequence[tuple[Any, Any]]


class LongNumber(NamedTuple):
    """How far into a match its long number begins, and how wide a match is; both at most, in bytes."""

    lead: int
    width: int


class UnknownError(Exception):
    """An element of which nothing is known, such as one that looks beyond its neighbours."""


class _State(NamedTuple):
    """What is sure behind some part of an expression."""

    digits: int = 0  # of the last run, at least
    gap: int = 0  # behind its last digit, at most
    opening: int = 0  # offset of its first digit, at most
    width: int = 0  # at most
    long: bool = False  # a run that begins at `opening` or before is long enough
    plain: bool = True  # all of it is ASCII


def is_plain(expression: str) -> bool:
    """Whether it needs only ASCII characters, so that bytes say as much as characters."""
    try:
        return _through(parsed(expression), _State()).plain
    except UnknownError:
        return False


def long_number(expression: str) -> LongNumber | None:
    """Where its long number is, if every match has one; None also if a match can be too wide."""
    try:
        state = _through(parsed(expression), _State())
    except UnknownError:
        return None
    return LongNumber(state.opening, state.width) if state.long and state.width < _TOO_WIDE else None


def beyond_ascii(expression: str) -> bool:
    """Whether every match holds a character that is not ASCII."""
    return _holds_beyond_ascii(parsed(expression))


def parsed(expression: str) -> Parsed:
    """Its elements; what `re` cannot read, Hyperscan is left to judge, and nothing is known of it."""
    try:
        parsed: Parsed = regex_parser.parse(expression, re.ASCII)
    except re.error:
        return [(codes.ANY, None)]
    return parsed


def _through(elements: Parsed, state: _State) -> _State:
    for code, value in elements:
        state = _behind(code, value, state)
    return state


def _behind(code: Any, value: Any, state: _State) -> _State:
    if code is codes.LITERAL:
        return _digit(state) if value in _DIGITS else _other(state, value)
    if code is codes.IN:
        highest = max(map(_highest, value))
        return _digit(state) if all(map(is_digit, value)) else _other(state, highest)
    if code is codes.SUBPATTERN:
        return _through(value[-1], state)
    if code is codes.ATOMIC_GROUP:
        return _through(value, state)
    if code is codes.BRANCH:
        return reduce(_either, [_through(branch, state) for branch in value[1]])
    if code in REPEATS:
        return _repeated(value, state)
    if code in (codes.ANY, codes.NOT_LITERAL):
        return _other(state, sys.maxunicode)
    if code is codes.AT and value is codes.AT_BOUNDARY:
        return state
    raise UnknownError


def _repeated(repeat: tuple[int, Any, Parsed], state: _State) -> _State:
    fewest, most, body = repeat
    for _ in range(fewest):
        state = _through(body, state)
    for _ in range(min(int(most), _TOO_WIDE) - fewest):
        state = _either(state, _through(body, state))
        if state.width > _TOO_WIDE:
            break
    return state


def _digit(state: _State) -> _State:
    if state.long:
        return state._replace(width=state.width + 1)
    goes_on = state.digits > 0 and state.gap <= GAP
    digits, opening = (state.digits + 1, state.opening) if goes_on else (1, state.width)
    return _State(digits, 0, opening, state.width + 1, digits >= LONG, state.plain)


def _other(state: _State, highest: int) -> _State:
    size = len(chr(highest).encode("utf-8", "replace"))
    return state._replace(gap=state.gap + size, width=state.width + size, plain=state.plain and highest <= LAST_ASCII)


def _either(left: _State, right: _State) -> _State:
    """What is sure whichever of two ways was taken; one that has its number already asks nothing more of the other."""
    width, opening, plain = max(left.width, right.width), max(left.opening, right.opening), left.plain and right.plain
    if left.long or right.long:
        unsure = right if left.long else left
        return unsure._replace(width=width, opening=opening, plain=plain)
    return _State(min(left.digits, right.digits), max(left.gap, right.gap), opening, width, plain=plain)


def _highest(item: tuple[Any, Any]) -> int:
    code, value = item
    if code is codes.LITERAL:
        return int(value)
    if code is codes.RANGE:
        return int(value[1])
    if code is codes.CATEGORY and value in PLAIN_CATEGORIES:
        return LAST_ASCII
    return sys.maxunicode


def is_digit(item: tuple[Any, Any]) -> bool:
    code, value = item
    if code is codes.LITERAL:
        return value in _DIGITS
    if code is codes.RANGE:
        return value[0] in _DIGITS and value[1] in _DIGITS
    return value is codes.CATEGORY_DIGIT


def _holds_beyond_ascii(elements: Parsed) -> bool:
    return any(_is_beyond_ascii(code, value) for code, value in elements)


def _is_beyond_ascii(code: Any, value: Any) -> bool:
    if code is codes.LITERAL:
        return bool(value > LAST_ASCII)
    if code is codes.IN:
        return all(code in (codes.LITERAL, codes.RANGE) and _lowest(value) > LAST_ASCII for code, value in value)
    if code is codes.SUBPATTERN:
        return _holds_beyond_ascii(value[-1])
    if code is codes.ATOMIC_GROUP:
        return _holds_beyond_ascii(value)
    if code is codes.BRANCH:
        return all(map(_holds_beyond_ascii, value[1]))
    return code in REPEATS and value[0] > 0 and _holds_beyond_ascii(value[-1])


def _lowest(value: Any) -> int:
    return int(value[0] if isinstance(value, tuple) else value)

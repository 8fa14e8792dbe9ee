"""A long text -> where its words hint at somebody's health, so that its many rows are asked about but read once."""

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from screening.people.health_words import CODES, IN_CLAIMS, MEANINGS, Meaning, health_hints
from screening.people.letter_runs import LETTERS_ALONE, letter_runs

_LEAST_READ = 24_000  # characters that are read at a time, to the end of their line
_MOST_READ = 200_000
_OFTEN = 24  # questions
_OFTEN_WITHIN = 4_000  # characters
_BLANK = 0x20
_PARTING = frozenset(("", *" \n\r\t,;|.:()\"'"))  # most ends of words
_BEFORE_DOT = 3  # characters of a code before its dot


class _Stretch(NamedTuple):
    """What was read, by places in the whole text; nothing of what is between two telling words hints at anything."""

    start: int
    end: int
    places: Sequence[int]
    meanings: Sequence[Meaning]
    codes: Sequence[tuple[int, int]]
    is_sure: bool = True  # no look at single words is enough where it is not


class HintPlaces:
    """Of one text; what lies beyond the last stretch is read where it is asked for."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._read: _Stretch | None = None
        self._asked = 0
        self._asked_at = 0  # of which place the question was that was counted last
        self._is_worth_it = False

    def hints(self, start: int, end: int) -> int:
        """The same as `health_hints` of this part of the text."""
        known = self._around(start, end)
        if known is None:
            return health_hints(self._text[start:end])
        low, high = bisect_left(known.places, start), bisect_left(known.places, end)
        if low == high:
            return int(bool(known.codes) and bool(_inside(known.codes, start, end)))
        number = len({hint for meaning in known.meanings[low:high] for hint in meaning.hints})
        return number or health_hints(self._text[start:end])

    def hints_outside(self, start: int, end: int, names: Sequence[tuple[int, int, str]]) -> bool | None:
        """Whether anything hints at health apart from the names in it; None where it is unsure."""
        known = self._around(start, end)
        if known is None or not all(self.are_ends(low, high) for low, high, _ in names):
            return None
        low, high = bisect_left(known.places, start), bisect_left(known.places, end)
        outside = [
            meaning
            for place, meaning in zip(known.places[low:high], known.meanings[low:high], strict=True)
            if not any(first <= place < last for first, last, _ in names)
        ]
        if any(meaning.hints for meaning in outside):
            return True
        return None if outside or (known.codes and _inside(known.codes, start, end)) else False

    def words(self, start: int, end: int) -> Sequence[int] | None:
        """Where the words are that hint at health, each by itself; None where anything else may hint at it."""
        known = self._around(start, end)
        if known is None or (known.codes and _inside(known.codes, start, end)):
            return None
        low, high = bisect_left(known.places, start), bisect_left(known.places, end)
        return known.places[low:high] if all(meaning.hints for meaning in known.meanings[low:high]) else None

    def _around(self, start: int, end: int) -> _Stretch | None:
        """What was read of this part; nothing where it is too long, or cuts a word or a number in two."""
        if end - start > _LEAST_READ or not self.are_ends(start, end):
            return None
        known = self._read
        self._asked += 1
        if self._asked % _OFTEN == 0:  # many questions about few characters, as about rows
            self._is_worth_it = abs(start - self._asked_at) < _OFTEN_WITHIN
            self._asked_at = start
        if known is None or start < known.start or end > known.end:
            if not self._is_worth_it:
                return None
            line = max(0, start - _LEAST_READ // 2, self._text.rfind("\n", 0, start) + 1)
            after = self._text.find("\n", max(end, line + _LEAST_READ))
            after = len(self._text) if after < 0 else after
            if after - line > _MOST_READ:
                return None
            known = self._read = _read(self._text[line:after], line)
        return known if known.is_sure else None

    def are_ends(self, start: int, end: int) -> bool:
        """Whether both ends are ends of words."""
        text = self._text
        return (
            text[end : end + 1] in _PARTING
            or text[end - 1 : end] in _PARTING
            or not (_is_in_word(text[end - 1]) and _is_in_word(text[end]))
        ) and (
            not start
            or text[start - 1] in _PARTING
            or text[start : start + 1] in _PARTING
            or not (_is_in_word(text[start - 1]) and _is_in_word(text[start]))
        )


places_of = lru_cache(maxsize=2)(HintPlaces)  # of the text that is screened, which several ask about


def _is_in_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _inside(codes: Sequence[tuple[int, int]], start: int, end: int) -> list[tuple[int, int]]:
    at = bisect_left(codes, (start, 0))
    found = []
    while at < len(codes) and codes[at][0] < end:
        if codes[at][1] <= end:
            found.append(codes[at])
        at += 1
    return found


def _read(text: str, offset: int) -> _Stretch:
    runs = letter_runs(text)
    if runs is None or any(part in text for part, _ in IN_CLAIMS):
        return _Stretch(offset, offset + len(text), (), (), (), is_sure=False)
    telling = MEANINGS.telling(runs)
    places, meanings = _places(text, telling) if telling else ([], [])
    with_dot, plain = CODES
    codes = sorted(
        [(offset + code.start() - _BEFORE_DOT, offset + code.end()) for code in with_dot.finditer(text)]
        + [(offset + code.start(), offset + code.end()) for code in plain.finditer(text)]
    )
    return _Stretch(offset, offset + len(text), [offset + place for place in places], meanings, codes)


def _places(text: str, telling: dict[bytes, Meaning]) -> tuple[list[int], list[Meaning]]:
    letters = text.encode("latin-1", "replace").translate(LETTERS_ALONE)
    codes = np.frombuffer(b" " + letters + b" ", dtype=np.uint8)
    edges = np.flatnonzero(np.diff(codes != _BLANK))
    starts, ends = edges[0::2], edges[1::2]
    longest = max(map(len, telling))
    sought = np.zeros((longest + 1, 256), dtype=bool)  # by length and first letter
    for run in telling:
        sought[len(run), run[0]] = True
    lengths = ends - starts
    likely = np.flatnonzero(lengths <= longest)
    likely = likely[sought[lengths[likely], codes[starts[likely] + 1]]]
    found = [
        (low, meaning)
        for low, high in zip(starts[likely].tolist(), ends[likely].tolist(), strict=True)
        if (meaning := telling.get(letters[low:high])) is not None
    ]
    return [low for low, _ in found], [meaning for _, meaning in found]

"""Texts -> where figures and letters meet in them, by arrays: what reads names looks at these places alone."""

from collections.abc import Iterable, Iterator, Sequence
from string import ascii_letters, ascii_uppercase, digits
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from screening.names.encoded_texts import BEYOND, Encoded, Ints

_FROM_CAPITAL_TO_FIGURE = 14  # at most, in `D. O. B.:  3`
_CAPITAL, _LETTER, _ACCENTED, _FIGURE, _MISREAD, _BLANK, _BEHIND_FIGURES, _UNKNOWN = (1 << bit for bit in range(8))
_HOLDING: dict[int, str] = {
    _CAPITAL: ascii_uppercase,
    _LETTER: ascii_letters,
    _ACCENTED: "".join(map(chr, range(0xC0, 0x100))),
    _FIGURE: digits,
    _MISREAD: "01358",
    _BLANK: " ",
    _BEHIND_FIGURES: " \t,;:|)\r\n-",
    _UNKNOWN: chr(BEYOND),  # may be a figure of another script
}
# By translation: to look up every sign in an array takes five times as long.
_KINDS = bytes(sum(kind for kind, signs in _HOLDING.items() if chr(code) in signs) for code in range(256))
Signs = NDArray[np.uint8]


class FigurePlaces(NamedTuple):
    """Places in one text, in order; all that the expressions of names find are among them, and some more."""

    labels: Sequence[int]  # a capital behind a blank, soon followed by a figure: `Sloan DOB 3`
    misread: Sequence[int]  # a figure before a letter: `Sl0an`
    small_ls: Sequence[int]  # behind two capitals: `SLlNGER`
    numbering: Sequence[int]  # the first figure behind a word: `Sloan 1,`


def figure_places(encoded: Iterable[Encoded]) -> Iterator[FigurePlaces]:
    """Of each text."""
    for each in encoded:
        signs = np.frombuffer(each.signs, dtype=np.uint8)
        kinds = np.frombuffer(each.signs.translate(_KINDS), dtype=np.uint8)
        found = (_labels(kinds), _misread(kinds), _small_ls(signs, kinds), _numbering(signs, kinds))
        for own in zip(*map(each.parted, found), strict=True):
            yield FigurePlaces(*(places.tolist() for places in own))


def _labels(kinds: Signs) -> Ints:
    figures = np.flatnonzero(kinds & (_FIGURE | _UNKNOWN) != 0)
    if not len(figures):
        return figures
    places = np.flatnonzero((kinds[:-1] & _BLANK != 0) & (kinds[1:] & _CAPITAL != 0)) + 1
    after = np.searchsorted(figures, places)
    near = figures[np.minimum(after, len(figures) - 1)] - places
    return places[(near >= 0) & (near <= _FROM_CAPITAL_TO_FIGURE)]


def _misread(kinds: Signs) -> Ints:
    return np.flatnonzero((kinds[:-1] & _MISREAD != 0) & (kinds[1:] & _LETTER != 0))


def _small_ls(signs: Signs, kinds: Signs) -> Ints:
    is_l = signs[2:] == ord("l")
    return np.flatnonzero(is_l & (kinds[1:-1] & kinds[:-2] & _CAPITAL != 0)) + 2


def _numbering(signs: Signs, kinds: Signs) -> Ints:
    figures = kinds & _FIGURE
    places = np.flatnonzero(figures[1:] > figures[:-1]) + 1
    before, second = kinds[places - 1], kinds[places - 2]
    numbered = (second & (_LETTER | _ACCENTED) != 0) & (before & (_LETTER | _ACCENTED | _BLANK) != 0)
    number_sign = signs[places - 1] == ord("#")
    places = places[numbered | (number_sign & (second & _BLANK != 0))]
    ends = places + 1
    for _ in range(2):
        ends += figures[ends] != 0
    found: Ints = places[kinds[ends] & _BEHIND_FIGURES != 0]
    return found

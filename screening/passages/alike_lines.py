"""A stretch of text -> where two neighbouring lines may be rows of one table, by arrays."""

import numpy as np
from numpy.typing import NDArray

from screening.passages.rows import DELIMITERS

Ints = NDArray[np.int64]

_TAB = 0  # number of the first delimiter
_QUOTE, _NONE, _BREAK = range(len(DELIMITERS), len(DELIMITERS) + 3)
_KINDS_OF = {**{sign: kind for kind, (sign, _) in enumerate(DELIMITERS)}, '"': _QUOTE, "\n": _BREAK}
_KINDS = bytes(_KINDS_OF.get(chr(code), _NONE) for code in range(256))
_NO_ROW = 0
_ANY_ROW = -1  # what is between quotes does not count, so that its shape is not known
_WIDEST = 1 << 32  # more cells than any line has
_LEAST = np.array([[least] for _, least in DELIMITERS])


def ends_of_alike_lines(text: str, start: int, end: int) -> list[int]:
    """The line ends at which a line and the next have the same shape; some more, where there are quotes."""
    kinds = np.frombuffer(text[start:end].encode("latin-1", "replace").translate(_KINDS), dtype=np.uint8)
    breaks = np.flatnonzero(kinds == _BREAK)
    shapes = _shapes(kinds, np.concatenate(([0], breaks + 1)))
    upper, lower = shapes[:-1], shapes[1:]
    alike = (upper != _NO_ROW) & (lower != _NO_ROW) & ((upper == lower) | (upper == _ANY_ROW) | (lower == _ANY_ROW))
    found: list[int] = (breaks[alike] + start).tolist()
    return found


def _shapes(kinds: NDArray[np.uint8], starts: Ints) -> Ints:
    """The first delimiter of which each line has enough, and how many it has, as one number."""
    places = np.flatnonzero(kinds <= _QUOTE)
    firsts = np.searchsorted(places, starts)
    lines = np.repeat(np.arange(len(starts)), np.diff(firsts, append=len(places)))
    signs = kinds[places].astype(np.int64)
    size = len(starts)
    counts = np.bincount(signs * size + lines, minlength=(_QUOTE + 1) * size).reshape(-1, size)
    enough = counts[:_QUOTE] >= _LEAST
    kind = enough.argmax(axis=0)
    shapes = np.where(enough.any(axis=0), counts[kind, np.arange(size)] + (kind + 1) * _WIDEST, _NO_ROW)
    if counts[_TAB].any():
        tabs = np.flatnonzero(signs == _TAB)
        shapes[_indented(places[tabs], lines[tabs], counts[_TAB], starts)] = _NO_ROW
    return np.where((counts[_QUOTE] > 0) & (shapes != _NO_ROW), _ANY_ROW, shapes)


def _indented(tabs: Ints, lines: Ints, counts: Ints, starts: Ints) -> Ints:
    """Lines that begin with tabs and have no others."""
    number_in_line = np.arange(len(tabs)) - np.searchsorted(lines, lines)
    leading = np.bincount(lines[tabs - starts[lines] == number_in_line], minlength=len(starts))
    return np.flatnonzero((leading > 0) & (leading == counts))

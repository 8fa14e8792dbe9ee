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


def ends_of_alike_lines(text: str, start: int, end: int) -> list[int]:
    """The line ends at which a line and the next have the same shape; some more, where there are quotes."""
    kinds = np.frombuffer(text[start:end].encode("latin-1", "replace").translate(_KINDS), dtype=np.uint8)
    marks = np.flatnonzero(kinds != _NONE)
    signs = kinds[marks].astype(np.int64)
    lines = np.cumsum(signs == _BREAK)  # of each mark the number of its line, of a line end that of the next
    breaks = marks[signs == _BREAK]
    shapes = _shapes(marks, signs, lines, np.concatenate(([0], breaks + 1)))
    upper, lower = shapes[:-1], shapes[1:]
    alike = (upper != _NO_ROW) & (lower != _NO_ROW) & ((upper == lower) | (upper == _ANY_ROW) | (lower == _ANY_ROW))
    found: list[int] = (breaks[alike] + start).tolist()
    return found


def _shapes(marks: Ints, signs: Ints, lines: Ints, starts: Ints) -> Ints:
    """The first delimiter of which each line has enough, and how many it has, as one number."""
    size = len(starts)
    counts = np.bincount(signs * size + lines, minlength=(_BREAK + 1) * size).reshape(-1, size)
    shapes = np.zeros(size, dtype=np.int64)
    for kind in reversed(range(len(DELIMITERS))):
        enough = np.flatnonzero(counts[kind] >= DELIMITERS[kind][1])
        shapes[enough] = counts[kind][enough] + (kind + 1) * _WIDEST
    if counts[_TAB].any():
        tabs = np.flatnonzero(signs == _TAB)
        shapes[_indented(marks[tabs], lines[tabs], counts[_TAB], starts)] = _NO_ROW
    return np.where((counts[_QUOTE] > 0) & (shapes != _NO_ROW), _ANY_ROW, shapes)


def _indented(tabs: Ints, lines: Ints, counts: Ints, starts: Ints) -> Ints:
    """Lines that begin with tabs and have no others."""
    number_in_line = np.arange(len(tabs)) - np.searchsorted(lines, lines)
    leading = np.bincount(lines[tabs - starts[lines] == number_in_line], minlength=len(starts))
    return np.flatnonzero((leading > 0) & (leading == counts))

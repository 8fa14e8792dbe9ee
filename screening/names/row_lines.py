"""Texts -> the lines that look like rows of a table, and those of them that may be headings, by arrays."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from screening.names.encoded_texts import Encoded, Ints

DELIMITERS = ("\t", ";", "|", ",")
Stretch = tuple[int, int]
Bools = NDArray[np.bool_]

_LONGEST_CELL = 42  # characters
_MOST_CELLS = 61
_QUOTE, _NONE, _BREAK = range(len(DELIMITERS), len(DELIMITERS) + 3)
_KINDS_OF = {**{sign: kind for kind, sign in enumerate(DELIMITERS)}, '"': _QUOTE, "\n": _BREAK}
_KINDS = bytes(_KINDS_OF.get(chr(code), _NONE) for code in range(256))


class RowLines(NamedTuple):
    """Where lines of one text begin and end, in order."""

    rows: list[Stretch]  # of short cells, by the first delimiter that is on the line
    headings: list[
        Stretch
    ]  # those of the rows whose next line has no fewer cells, by the delimiter of which it has most


def rows_of_each(encoded: Iterable[Encoded]) -> Iterator[RowLines]:
    """Of each text."""
    for each in encoded:
        starts, ends, is_row, is_heading = _lines(np.frombuffer(each.signs.translate(_KINDS), dtype=np.uint8))
        rows, headings = (
            zip(each.parted(starts[own]), each.parted(ends[own]), strict=True) for own in (is_row, is_heading)
        )
        for lines, heads in zip(rows, headings, strict=True):
            yield RowLines(_stretches(*lines), _stretches(*heads))


def _stretches(starts: Ints, ends: Ints) -> list[Stretch]:
    return list(zip(starts.tolist(), ends.tolist(), strict=True))


def _lines(kinds: NDArray[np.uint8]) -> tuple[Ints, Ints, Bools, Bools]:
    """Where lines begin and end, whether they look like rows, and whether they may be headings."""
    marks = np.flatnonzero(kinds != _NONE)
    signs = kinds[marks]
    breaks = marks[signs == _BREAK]
    starts, ends = breaks[:-1] + 1, breaks[1:]  # the texts are between ends of lines
    line_of = np.cumsum(signs == _BREAK) - 1
    is_delimiter = np.flatnonzero(signs < _QUOTE)
    places, delimiters, lines = marks[is_delimiter], signs[is_delimiter], line_of[is_delimiter]
    opening = np.flatnonzero(np.diff(lines, prepend=-1))
    first_of_line = np.full(len(starts), _NONE, dtype=np.uint8)
    first_of_line[lines[opening]] = delimiters[opening]
    own = np.flatnonzero(delimiters == first_of_line[lines])
    is_row = _have_short_cells(places[own], lines[own], starts, ends)
    size = len(starts) + 1
    number = np.bincount(delimiters.astype(np.int64) * size + lines, minlength=len(DELIMITERS) * size)
    has_quote = np.zeros(size, dtype=bool)
    has_quote[line_of[signs == _QUOTE]] = True
    is_heading = np.zeros_like(is_row)
    is_heading[_headings(np.flatnonzero(is_row), number.reshape(-1, size), has_quote)] = True
    return starts, ends, is_row, is_heading


def _headings(rows: Ints, number: Ints, has_quote: Bools) -> Ints:
    """Rows whose next line has as many cells, by the delimiter of which a row has most; quotes may hide some."""
    most = number[:, rows].argmax(axis=0)
    own, below = number[most, rows], number[most, rows + 1]
    found: Ints = rows[(below == own) | ((below > own) & has_quote[rows + 1])]
    return found


def _have_short_cells(places: Ints, lines: Ints, starts: Ints, ends: Ints) -> Bools:
    """Lines with one of the places at least, few of them, and none far from the next or from an end of the line."""
    counts = np.bincount(lines, minlength=len(starts))
    are_rows = (counts > 0) & (counts < _MOST_CELLS)
    before = np.empty_like(places)
    before[1:] = places[:-1] + 1
    opens = np.diff(lines, prepend=-1) != 0
    before[opens] = starts[lines[opens]]
    are_rows[lines[places - before > _LONGEST_CELL]] = False
    closes = np.diff(lines, append=-1) != 0
    long = ends[lines[closes]] - places[closes] - 1 > _LONGEST_CELL
    are_rows[lines[closes][long]] = False
    return are_rows

"""Pieces of a revealed text -> runs of text and tables, so that rows and columns are read as such."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NoReturn

from review.reveal.piece import Piece

_LEAST_ROWS = 2
_MOST_ROWS = 500  # of one table; a longer one goes on as text
Line = list[Piece]


@dataclass(frozen=True, slots=True, repr=False)
class Block:
    """Text, or the rows of a table: each a list of cells, each a list of pieces."""

    pieces: tuple[Piece, ...] = ()
    rows: tuple[tuple[tuple[Piece, ...], ...], ...] = ()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Block holds content, which must not leave the page")


def blocks_of(pieces: Iterable[Piece]) -> Iterator[Block]:
    """Two or more neighbouring lines with as many tabs are a table."""
    text: list[Piece] = []
    for lines in _alike(_lines(pieces)):
        tabs = _tabs(lines[0])
        if tabs and len(lines) >= _LEAST_ROWS:
            if text:
                yield Block(tuple(text))
                text = []
            yield Block(rows=tuple(tuple(_cells(line)) for line in lines))
        else:
            text += [piece for line in lines for piece in line]
    if text:
        yield Block(tuple(text))


def _lines(pieces: Iterable[Piece]) -> Iterator[Line]:
    """Each with the line break that ends it."""
    line: Line = []
    for piece in pieces:
        for part in piece.text.splitlines(keepends=True):
            line.append(Piece(part, piece.characteristic))
            if part.endswith("\n"):
                yield line
                line = []
    if line:
        yield line


def _alike(lines: Iterable[Line]) -> Iterator[list[Line]]:
    together: list[Line] = []
    for line in lines:
        if together and (_tabs(line) != _tabs(together[0]) or len(together) == _MOST_ROWS):
            yield together
            together = []
        together.append(line)
    if together:
        yield together


def _tabs(line: Line) -> int:
    return sum(piece.text.count("\t") for piece in line)


def _cells(line: Line) -> Iterator[tuple[Piece, ...]]:
    cell: list[Piece] = []
    for piece in line:
        first, *others = piece.text.rstrip("\n").split("\t")
        cell.append(Piece(first, piece.characteristic))
        for part in others:
            yield tuple(each for each in cell if each.text)
            cell = [Piece(part, piece.characteristic)]
    yield tuple(each for each in cell if each.text)

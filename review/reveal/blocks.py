"""Pieces of a revealed text -> its places, runs of text and tables, so that rows and columns are read as such."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NoReturn

from review.reveal.piece import Piece

_LEAST_ROWS = 2
_MOST_ROWS = 2_000  # of one table, which a browser draws at once
_PLAIN_PLACES = ("", "body")  # the text itself
_DELIMITERS = ",;|\t"
Line = list[Piece]
Places = Sequence[tuple[int, str]]  # where a part of the text begins, and what it is: page 3, sheet 1


@dataclass(frozen=True, slots=True, repr=False)
class Block:
    """The name of a place, or text, or the rows of a table: each a list of cells, each a list of pieces."""

    pieces: tuple[Piece, ...] = ()
    rows: tuple[tuple[tuple[Piece, ...], ...], ...] = ()
    place: str = ""

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Block holds content, which must not leave the page")


def blocks_by_place(parts: Iterable[tuple[str, Iterable[Piece]]], is_csv: bool = False) -> Iterator[Block]:
    """Parts of a text, each with its place; one that is all of the text needs no name."""
    listed = [(place, list(pieces)) for place, pieces in parts]
    for place, pieces in listed:
        if place not in _PLAIN_PLACES and len(listed) > 1:
            yield Block(place=place)
        yield from blocks_of(_with_tabs(pieces) if is_csv else pieces)


def cut_at(places: Places, pieces: Iterable[Piece]) -> Iterator[tuple[str, list[Piece]]]:
    """The pieces of each place; a piece that reaches over a border is in two of them."""
    ends = [start for start, _ in places[1:]]
    part: list[Piece] = []
    at, number = 0, 0
    for piece in pieces:
        rest = piece
        while number < len(ends) and at + len(rest.text) >= ends[number]:
            here, rest = _halves(rest, ends[number] - at)
            part += [here] if here.text else []
            yield places[number][1], part
            part, at, number = [], ends[number], number + 1
        part += [rest] if rest.text else []
        at += len(rest.text)
    if part:
        yield (places[number][1] if places else ""), part


def _halves(piece: Piece, at: int) -> tuple[Piece, Piece]:
    return replace(piece, text=piece.text[:at]), replace(piece, text=piece.text[at:])


def blocks_of(pieces: Iterable[Piece]) -> Iterator[Block]:
    """Two or more neighbouring lines with tabs are a table; a row may lack its last cells."""
    text: list[Piece] = []
    for lines in _alike(_lines(pieces)):
        columns = _tabs(lines[0]) + 1
        if columns > 1 and len(lines) >= _LEAST_ROWS:
            if text:
                yield Block(tuple(text))
                text = []
            yield Block(rows=tuple(tuple(_cells(line, columns)) for line in lines))
        else:
            text += [piece for line in lines for piece in line]
    if text:
        yield Block(tuple(text))


def _lines(pieces: Iterable[Piece]) -> Iterator[Line]:
    """Each with the line break that ends it."""
    line: Line = []
    for piece in pieces:
        for part in piece.text.splitlines(keepends=True):
            line.append(replace(piece, text=part))
            if part.endswith("\n"):
                yield line
                line = []
    if line:
        yield line


def _alike(lines: Iterable[Line]) -> Iterator[list[Line]]:
    together: list[Line] = []
    for line in lines:
        if together and (not _fits(_tabs(line), _tabs(together[0])) or len(together) == _MOST_ROWS):
            yield together
            together = []
        together.append(line)
    if together:
        yield together


def _fits(tabs: int, of_first: int) -> bool:
    return 1 <= tabs <= of_first if of_first else not tabs


def _tabs(line: Line) -> int:
    return sum(piece.text.count("\t") for piece in line)


def _cells(line: Line, columns: int) -> Iterator[tuple[Piece, ...]]:
    cell: list[Piece] = []
    for piece in line:
        first, *others = piece.text.rstrip("\n").split("\t")
        cell.append(replace(piece, text=first))
        for part in others:
            yield tuple(each for each in cell if each.text)
            columns -= 1
            cell = [replace(piece, text=part)]
    yield tuple(each for each in cell if each.text)
    yield from [()] * (columns - 1)


def _with_tabs(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Comma-separated values with tabs between them, and without the quotation marks around them."""
    first = "".join(piece.text for piece in pieces).partition("\n")[0]
    delimiter = max(_DELIMITERS, key=first.count)
    quoted = False
    for piece in pieces:
        written = []
        for character in piece.text:
            if character == '"':
                quoted = not quoted
            elif quoted and character in "\n\t":
                written.append(" ")
            else:
                written.append("\t" if character == delimiter and not quoted else character)
        yield replace(piece, text="".join(written))

"""Rows that SQL inserts -> the values of columns whose names say that they hold names, birth dates or numbers."""

import re
from collections.abc import Callable, Iterator

from core.records import Span
from screening.names.table_headings import COLUMN_SCORE, cell_spans, heading_kind, holds_people, is_number
from screening.passages.sql_inserts import has_inserts, inserts_in

# The first letter apart, in all its forms, because a set of characters is searched fast.
_INSERT = re.compile(
    r"[Iiİı](?<!\w.)(?i:NSERT\s{1,9}(?:IGNORE\s{1,9})?(?:INTO\s{1,9})?([`\"\[\]\w.]{1,128}+)\s{0,9}"
    r"(?:\(([^()]{0,4000})\))?\s{0,9}VALUES\s{0,9})"
)
_CREATE = re.compile(
    r"\bCREATE\s{1,9}TABLE\s{1,9}(?:IF\s{1,9}NOT\s{1,9}EXISTS\s{1,9})?([`\"\[\]\w.]{1,128}+)\s{0,9}\(", re.IGNORECASE
)
_DEFINITION = re.compile(r"\s{0,99}([`\"\[]?[\w ]{1,64}+)[^,()]{0,400}+(?:\([^()]{0,400}+\)[^,()]{0,400}+){0,4}([,)]?)")
_ROW = re.compile(r"[\s,]*+\(((?:[^()']|[(][^()']*[)]|'(?:[^'\\]|\\.|'')*+')*+)\)")
_VALUE = re.compile(r"\s*+(?:[NnEe]?'((?:[^'\\]|\\.|'')*+)'|[^,']*+)\s*+(?:,|$)")
_MOST_COLUMNS = 200
_PLAIN_NAME = re.compile(r"[^\w]+")


def inserted_names(text: str, could_be_name: Callable[[str], bool]) -> list[Span]:
    """In the order of the text; a column of words that `could_be_name` denies holds no people."""
    if not has_inserts(text) or not any(word in text for word in ("INSERT ", "insert ", "Insert ")):
        return []
    inserts = list(inserts_in(_INSERT, text, 0, len(text)))
    if not inserts:
        return []
    tables = {_plain(match[1]): list(_defined(text, match.end())) for match in _CREATE.finditer(text)}
    spans: list[Span] = []
    for insert in inserts:
        columns = insert[2].split(",") if insert[2] is not None else tables.get(_plain(insert[1]), [])
        kinds = [heading_kind(column.strip(' `"[]\n\r\t')) for column in columns[:_MOST_COLUMNS]]
        if any(kinds):
            spans += _below(text, insert.end(), kinds, could_be_name)
    return spans


def _plain(table: str) -> str:
    return _PLAIN_NAME.sub(" ", table).split()[-1].lower() if _PLAIN_NAME.sub("", table) else ""


def _defined(text: str, start: int) -> Iterator[str]:
    """The names of the columns that a table is created with."""
    for _ in range(_MOST_COLUMNS):
        match = _DEFINITION.match(text, start)
        if match is None:
            return
        yield match[1].strip(' `"[').split(" ")[0]
        if match[2] != ",":
            return
        start = match.end()


def _below(text: str, start: int, kinds: list[str], could_be_name: Callable[[str], bool]) -> list[Span]:
    columns: list[list[Span]] = [[] for _ in kinds]
    while (row := _ROW.match(text, start)) is not None:
        values = list(_values(text, *row.span(1)))
        if len(values) == len(kinds):
            for value, kind, column in zip(values, kinds, columns, strict=True):
                if kind and value is not None:
                    column += cell_spans(text, *value, kind, COLUMN_SCORE)
        start = row.end()
    own = (
        column
        for column, kind in zip(columns, kinds, strict=True)
        if is_number(kind) or holds_people(text, column, could_be_name)
    )
    return sorted((span for column in own for span in column), key=lambda span: span.start)


def _values(text: str, start: int, end: int) -> Iterator[tuple[int, int] | None]:
    """Where the quoted values of a row are; nothing for others, which hold no names."""
    while start < end:
        match = _VALUE.match(text, start, end)
        if match is None or match.end() == start:
            return
        yield match.span(1) if match[1] is not None else None
        start = match.end()

"""A stretch of an SQL dump -> one passage a few inserted rows, with the names of their columns."""

import re
from collections.abc import Iterator, Mapping, Sequence

from core.records import Passage
from screening.passages.rows import Stretch, grouped
from screening.passages.sql_inserts import has_inserts, inserts_in

# The first letter apart, in all its forms, because a set of characters is searched fast.
_INSERT = re.compile(
    r"[Iiİı](?<!\w.)(?i:NSERT\s+(?:IGNORE\s+)?INTO\s+[`\"\[]?([\w.]+)[`\"\]]?\s*(\([^)]{0,4000}\))?\s*VALUES\s*)"
)
_CREATE = re.compile(
    r"\bCREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?[`\"\[]?([\w.]+)[`\"\]]?\s*\(([^;]{0,20000}?)\)\s*[^,;]{0,200};",
    re.IGNORECASE,
)
_ROW = re.compile(r"[\s,]*(\((?:[^()']|'(?:[^'\\]|\\.|'')*+'|\([^()]*\))*+\))")
_HEADING_CHARS = 600


def sql_passages(text: str, start: int, end: int) -> list[Passage]:
    """Nothing where no rows are inserted."""
    if not has_inserts(text):
        return []
    inserts = list(inserts_in(_INSERT, text, start, end))
    if not inserts:
        return []
    columns = {match[1].lower(): (match.start(1), match.end(2)) for match in _CREATE.finditer(text, start, end)}
    passages: list[Passage] = []
    number = 1
    for heading, rows in _of_one_table(text, inserts, columns, end):
        carried = ((heading[0], min(heading[1], heading[0] + _HEADING_CHARS)),) if heading else ()
        passages += grouped(rows, number, carried)
        number += len(rows)
    return passages


def _of_one_table(
    text: str, inserts: Sequence[re.Match[str]], columns: Mapping[str, Stretch], end: int
) -> Iterator[tuple[Stretch | None, list[Stretch]]]:
    """Rows of neighbouring statements for one table together, with where its name and columns are."""
    table, heading, together = "", None, list[Stretch]()
    for insert in inserts:
        rows = _rows(text, insert, end)
        if insert[1].lower() != table and together:
            yield heading, together
            together = []
        if not together:
            table = insert[1].lower()
            heading = (insert.start(1), insert.end(2)) if insert[2] else columns.get(table)
        together += rows
    if together:
        yield heading, together


def _rows(text: str, insert: re.Match[str], end: int) -> list[Stretch]:
    rows: list[Stretch] = []
    at = insert.end()
    while (row := _ROW.match(text, at, end)) is not None:
        rows.append(row.span(1))
        at = row.end()
    return rows

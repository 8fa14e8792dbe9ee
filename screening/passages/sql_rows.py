"""A stretch of an SQL dump -> one passage a few inserted rows, with the names of their columns."""

import re

from core.records import Passage
from screening.passages.rows import grouped

_INSERT = re.compile(
    r"\bINSERT\s+(?:IGNORE\s+)?INTO\s+[`\"\[]?([\w.]+)[`\"\]]?\s*(\([^)]{0,4000}\))?\s*VALUES\s*", re.IGNORECASE
)
_CREATE = re.compile(
    r"\bCREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?[`\"\[]?([\w.]+)[`\"\]]?\s*\(([^;]{0,20000}?)\)\s*[^,;]{0,200};",
    re.IGNORECASE,
)
_ROW = re.compile(r"[\s,]*(\((?:[^()']|'(?:[^'\\]|\\.|'')*+'|\([^()]*\))*+\))")
_HEADING_CHARS = 600


def sql_passages(text: str, start: int, end: int) -> list[Passage]:
    """Nothing where no rows are inserted."""
    inserts = list(_INSERT.finditer(text, start, end))
    if not inserts:
        return []
    columns = {match[1].lower(): match.span(2) for match in _CREATE.finditer(text, start, end)}
    passages: list[Passage] = []
    number = 0
    for insert in inserts:
        heading = insert.span(2) if insert[2] else columns.get(insert[1].lower())
        carried = ((heading[0], min(heading[1], heading[0] + _HEADING_CHARS)),) if heading else ()
        rows: list[tuple[int, int]] = []
        at = insert.end()
        while (row := _ROW.match(text, at, end)) is not None:
            rows.append(row.span(1))
            at = row.end()
        passages += grouped(rows, number + 1, carried)
        number += len(rows)
    return passages

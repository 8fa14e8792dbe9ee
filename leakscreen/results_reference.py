"""The tables of columns (core/) -> the tables in docs/results.md and docs/people.md: `make docs` writes them."""

import sys
from pathlib import Path

from core.columns import COLUMNS, Column, Count, Reader, Rescan
from core.person_columns import PERSON_COLUMNS

START = "<!-- Columns: `make docs` writes this table from core/columns.py. -->"
PERSON_START = "<!-- Columns: `make docs` writes this table from core/person_columns.py. -->"
END = "<!-- End of the columns. -->"
_HEAD = [
    "| column | type | meaning | since | exported | reviewed | counted | re-scan |",
    "|---|---|---|---|---|---|---|---|",
]
_COUNTED = {
    Count.TRUE: "where true",
    Count.FALSE: "where false",
    Count.VALUES: "by value",
    Count.VALUES_OF_REFERRED: "by value, of referred",
    Count.SUM_BY_KEY: "sum by key",
}
_RESCANNED = {
    Rescan.KEPT: "kept",
    Rescan.REFRESHED: "of the new scan",
    Rescan.RENAMED: "new if moved",
    Rescan.RULES: "new if rules changed",
    Rescan.HEALTH: "empty if no longer screened",
}


def with_columns(page: str) -> str:
    """The page with the present table between the two marks."""
    before, _, rest = page.partition(START)
    _, mark, after = rest.partition(END)
    if not mark:
        raise ValueError(f"the page lacks {START!r} or {END!r}")
    return "\n".join([before + START, "", *_HEAD, *map(_line, COLUMNS), "", END]) + after


def with_person_columns(page: str) -> str:
    before, _, rest = page.partition(PERSON_START)
    _, mark, after = rest.partition(END)
    if not mark:
        raise ValueError(f"the page lacks {PERSON_START!r} or {END!r}")
    lines = [
        f"| `{column.name}` | {'list of ' if column.is_list else ''}{column.type} | {column.meaning} | {column.since} |"
        for column in PERSON_COLUMNS
    ]
    head = ["| column | type | meaning | since |", "|---|---|---|---|"]
    return "\n".join([before + PERSON_START, "", *head, *lines, "", END]) + after


def _line(column: Column) -> str:
    exported = "" if Reader.EXPORT not in column.readers else f"`{column.label}`" if column.label else "yes"
    cells = (
        f"`{column.name}`",
        str(column.type),
        column.meaning,
        str(column.since),
        exported,
        f"`{column.kept_as}`" if column.kept_as else "",
        _counted(column),
        _RESCANNED[column.rescan],
    )
    return "| " + " | ".join(cells) + " |"


def _counted(column: Column) -> str:
    if column.count is None:
        return ""
    return f"by {column.first_field}" if column.count is Count.FIRST_FIELD else _COUNTED[column.count]


if __name__ == "__main__":
    for place, written in zip(map(Path, sys.argv[1:]), (with_columns, with_person_columns), strict=True):
        place.write_text(written(place.read_text(encoding="utf-8")), encoding="utf-8")

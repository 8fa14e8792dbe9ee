"""The table of columns (core/columns.py) -> the table in docs/results.md: `make docs` writes it."""

import sys
from pathlib import Path

from core.columns import COLUMNS, Column, Count, Reader, Rescan

START = "<!-- Columns: `make docs` writes this table from core/columns.py. -->"
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
    place = Path(sys.argv[1])
    place.write_text(with_columns(place.read_text(encoding="utf-8")), encoding="utf-8")

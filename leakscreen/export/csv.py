"""Rows -> CSV whose cells no spreadsheet takes for a formula."""

import csv
import io
from collections.abc import Iterable
from typing import Any, BinaryIO

from core.csv_cells import safe_cell
from leakscreen.export.rows import Row, ScanFacts, counted, masked

_PLAIN = (
    "scan_id",
    "uri",
    "container_uri",
    "size",
    "mtime",
    "owner",
    "sha256",
    "media_type",
    "status",
    "reason",
    "chars",
    "persons",
)
_JUDGED = ("screened_positive", "health_positive", "health_distance", "health_class", "referred", "risk", "source")
HEADER = (*_PLAIN, *_JUDGED, "characteristics", "rules", "health_terms", "evidence")


def write(rows: Iterable[Row], facts: ScanFacts, sink: BinaryIO) -> None:
    text = io.TextIOWrapper(sink, encoding="utf-8", errors="backslashreplace", newline="", write_through=True)
    table = csv.writer(text, lineterminator="\r\n")
    table.writerow(HEADER)
    for row in rows:
        table.writerow([safe_cell(value) for value in _values(row)])
    text.detach()


def _values(row: Row) -> list[Any]:
    plain = [row[name].isoformat() if name == "mtime" and row[name] else row[name] for name in (*_PLAIN, *_JUDGED)]
    rules = " ".join(sorted({hit["rule"] for hit in row["rules"] or ()}))
    return [*plain, counted(row), rules, "; ".join(row["health_terms"] or ()), "; ".join(masked(row))]

"""Rows -> CSV whose cells no spreadsheet takes for a formula."""

import csv
import io
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, BinaryIO

from core.columns import Column, ListOf, MapOf, Reader, Struct, columns_for
from core.csv_cells import safe_cell
from leakscreen.export.rows import ExportedScan, Row, fired, masked, pairs

_EXPORTED = {column.name: column for column in columns_for(Reader.EXPORT)}


def _in_order() -> tuple[Column, ...]:
    """By results format, then nested columns last: programs may read by position, so no old column may move."""
    names = sorted(_EXPORTED, key=lambda name: (_EXPORTED[name].since, _EXPORTED[name].nested))
    names.remove("health_positive")  # the decision has always been before the distance here
    names.insert(names.index("health_distance"), "health_positive")
    names.remove("access")  # was written long before it was exported
    names.append("access")
    return tuple(_EXPORTED[name] for name in names)


_COLUMNS = _in_order()
HEADER = tuple(column.flat_name for column in _COLUMNS)
_OWN_TEXT: dict[str, Callable[[Row], str]] = {"rules": fired, "evidence": lambda row: "; ".join(masked(row))}


def write(rows: Iterable[Row], scan: ExportedScan, sink: BinaryIO) -> None:
    text = io.TextIOWrapper(sink, encoding="utf-8", errors="backslashreplace", newline="", write_through=True)
    table = csv.writer(text, lineterminator="\r\n")
    table.writerow(HEADER)
    for row in rows:
        table.writerow([safe_cell(_flat(column, row)) for column in _COLUMNS])
    text.detach()


def _flat(column: Column, row: Row) -> Any:
    value = row[column.name]
    if column.name in _OWN_TEXT:
        return _OWN_TEXT[column.name](row)
    if isinstance(column.type, MapOf | Struct):
        return pairs(value)
    if isinstance(column.type, ListOf):
        return "; ".join(map(str, value or ()))
    return value.isoformat() if isinstance(value, datetime) else value

"""Rows of the results -> rows that the review database takes: no zero bytes, and no null where null means nothing."""

from collections.abc import Callable, Mapping
from typing import Any

from core.columns import COLUMNS, Column, ListOf, MapOf, Reader

Row = Mapping[str, Any]


def _empty(column: Column) -> Callable[[], Any] | None:
    if isinstance(column.type, ListOf):
        return list
    if isinstance(column.type, MapOf):
        return dict
    return str if column.type == "string" and not column.nullable else None


# Results of older versions have nulls in columns that they did not write.
_EMPTIES = tuple(
    (column.name, make)
    for column in COLUMNS
    if column.readers & (Reader.INTAKE | Reader.DASHBOARD) and (make := _empty(column)) is not None
)


def without_nulls(row: Row) -> dict[str, Any]:
    """Zero bytes, which PostgreSQL refuses, are escaped; empty values take the place of missing ones."""
    clean = {name: _escaped(value) if "\\x00" in repr(value) else value for name, value in row.items()}
    for name, make in _EMPTIES:
        if clean.get(name) is None:
            clean[name] = make()
    return clean


def _escaped(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace("\0", "%00")
    if isinstance(value, dict):
        return {_escaped(key): _escaped(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_escaped(item) for item in value]
    return value

"""The table of columns (core/columns.py) -> the Arrow schema of the results; FileRecords -> a table of that schema."""

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

from core.columns import COLUMNS, ColumnType, ListOf, MapOf, Struct
from core.records import FileRecord
from pipelines.results.arrow import pa

_ARROW_TYPES = {
    "bool": pa.bool_(),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "uint64": pa.uint64(),
    "float64": pa.float64(),
    "string": pa.string(),
    "binary": pa.binary(),
    "timestamp": pa.timestamp("us", tz="UTC"),
}


def arrow_type(named: ColumnType) -> pa.DataType:
    if isinstance(named, Struct):
        return pa.struct([(name, arrow_type(kind)) for name, kind in named.fields])
    if isinstance(named, ListOf):
        return pa.list_(arrow_type(named.item))
    if isinstance(named, MapOf):
        return pa.map_(arrow_type(named.key), arrow_type(named.value))
    return _ARROW_TYPES[named]


SCHEMA = pa.schema([(column.name, arrow_type(column.type)) for column in COLUMNS])


def table_of(records: Sequence[FileRecord]) -> pa.Table:
    """Column by column, which Arrow takes faster than rows."""
    arrays = [
        pa.array([cell(record) for record in records], field.type) for field, cell in zip(SCHEMA, _CELLS, strict=True)
    ]
    return pa.table(arrays, schema=SCHEMA)


def _cell_of(kind: ColumnType, value: Callable[[FileRecord], Any]) -> Callable[[FileRecord], Any]:
    """What Arrow takes for the value: lists for tuples, and for objects the tuple of their fields."""
    if isinstance(kind, ListOf) and isinstance(kind.item, Struct):
        fields = attrgetter(*(name for name, _ in kind.item.fields))
        return lambda record: [fields(item) for item in value(record) or ()]
    if isinstance(kind, ListOf | MapOf):
        return lambda record: list(value(record) or ())
    if isinstance(kind, Struct):
        fields = attrgetter(*(name for name, _ in kind.fields))
        return lambda record: None if (item := value(record)) is None else fields(item)
    return value


_CELLS = tuple(_cell_of(column.type, column.value) for column in COLUMNS)

"""Rows -> one Parquet file with the types of the results."""

from collections.abc import Iterable
from itertools import islice
from typing import Any, BinaryIO

from core.columns import MapOf, Reader, columns_for
from leakscreen.export.rows import COLUMNS, ExportedScan, Row

_MAPS = tuple(column.name for column in columns_for(Reader.EXPORT) if isinstance(column.type, MapOf))
_AT_ONCE = 5_000


def write(rows: Iterable[Row], scan: ExportedScan, sink: BinaryIO) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from pipelines.results.schema import SCHEMA

    schema = pa.schema([SCHEMA.field(name) for name in COLUMNS])
    with pq.ParquetWriter(sink, schema, compression="zstd") as writer:
        waiting = iter(rows)
        while some := list(islice(waiting, _AT_ONCE)):
            writer.write_table(pa.Table.from_pylist([_with_pairs(row) for row in some], schema=schema))


def _with_pairs(row: Row) -> dict[str, Any]:
    return {**row, **{name: list((row[name] or {}).items()) for name in _MAPS}}

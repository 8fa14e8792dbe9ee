"""Rows -> one Parquet file with the types of the results."""

from collections.abc import Iterable
from itertools import islice
from typing import Any, BinaryIO

from leakscreen.export.rows import COLUMNS, Row, ScanFacts

_AT_ONCE = 5_000


def write(rows: Iterable[Row], facts: ScanFacts, sink: BinaryIO) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from pipelines.results.schema import SCHEMA

    schema = pa.schema([SCHEMA.field(name) for name in COLUMNS])
    with pq.ParquetWriter(sink, schema, compression="zstd") as writer:
        waiting = iter(rows)
        while some := list(islice(waiting, _AT_ONCE)):
            writer.write_table(pa.Table.from_pylist([_with_pairs(row) for row in some], schema=schema))


def _with_pairs(row: Row) -> dict[str, Any]:
    return {**row, "pii_counts": list((row["pii_counts"] or {}).items())}

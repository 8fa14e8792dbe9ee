"""FileRecords, or records that are columns already -> a whole Parquet file with their totals in its footer."""

import json
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, BinaryIO

import pyarrow.parquet as pq

from core.records import FileRecord
from core.version import RESULTS_FORMAT
from pipelines.results.arrow import pa
from pipelines.results.schema import SCHEMA, table_of
from pipelines.results.seal import BLANK, SEAL, with_seal

TOTALS_KEY = "leakscreen.totals"
FORMAT_KEY = "leakscreen.format"


def unit_parquet(
    records: Sequence[FileRecord], totals_after: Callable[[float], dict[str, Any]], key: bytes | None = None
) -> memoryview:
    """One unit as a whole Parquet file.

    `totals_after` gets the seconds spent here and gives the totals for the footer, so a summary never has to read rows.
    `key` is that of the seals; without it there is none.
    """
    started = time.perf_counter()
    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(sink, SCHEMA, compression="zstd") as writer:
        writer.write_table(table_of(records))
        totals = totals_after(time.perf_counter() - started)
        writer.add_key_value_metadata(_metadata(totals))
    return _sealed(sink, key)


def carried_parquet(table: pa.Table, totals: dict[str, Any], key: bytes | None = None) -> memoryview:
    """Records that are columns already, as a whole Parquet file with their totals."""
    sink = pa.BufferOutputStream()
    others = [
        path for path in _leaves() if path != "scan_id"
    ]  # left plain, for a next scan to patch: rescan/scan_id_patch.py
    with pq.ParquetWriter(sink, SCHEMA, compression=dict.fromkeys(others, "zstd"), write_statistics=others) as writer:
        writer.write_table(table, row_group_size=max(1, table.num_rows))
        writer.add_key_value_metadata(_metadata(totals))
    return _sealed(sink, key)


def _metadata(totals: dict[str, Any]) -> dict[str, str]:
    return {TOTALS_KEY: json.dumps(totals), FORMAT_KEY: str(RESULTS_FORMAT), SEAL: BLANK}


def _sealed(sink: pa.BufferOutputStream, key: bytes | None) -> memoryview:
    content = memoryview(sink.getvalue())
    return content if key is None else memoryview(with_seal(content, key))


@cache
def _leaves() -> tuple[str, ...]:
    """The columns by the paths that Parquet knows them by."""
    sink = pa.BufferOutputStream()
    pq.write_table(SCHEMA.empty_table(), sink)
    schema = pq.ParquetFile(pa.BufferReader(sink.getvalue())).schema
    return tuple(schema.column(at).path for at in range(len(schema)))


def footer_totals(handle: BinaryIO) -> dict[str, Any]:
    """The totals of a finished unit, from its footer alone."""
    metadata = pq.read_metadata(handle).metadata or {}
    totals: dict[str, Any] = json.loads(metadata[TOTALS_KEY.encode()])
    return totals

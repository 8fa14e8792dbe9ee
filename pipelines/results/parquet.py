"""FileRecords -> the Parquet columns of the output contract."""

import json
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

import pipelines.results.arrow  # noqa: F401 - before the first array
from core.records import FileRecord
from core.version import RESULTS_FORMAT

TOTALS_KEY = "leakscreen.totals"
FORMAT_KEY = "leakscreen.format"

_RULE_HIT = pa.struct([("rule", pa.string()), ("prototype", pa.string()), ("distance", pa.int32())])
_EVIDENCE = pa.struct(
    [
        ("characteristic", pa.string()),
        ("start", pa.int64()),
        ("end", pa.int64()),
        ("masked", pa.string()),
        ("hmac", pa.string()),
        ("where", pa.string()),
        ("person", pa.int32()),
    ]
)
_NEIGHBOUR = pa.struct([("prototype", pa.string()), ("distance", pa.float64())])
SCHEMA = pa.schema(
    [
        ("scan_id", pa.string()),
        ("uri", pa.string()),
        ("container_uri", pa.string()),
        ("size", pa.int64()),
        ("mtime", pa.timestamp("us", tz="UTC")),
        ("owner", pa.string()),
        ("sha256", pa.string()),
        ("media_type", pa.string()),
        ("status", pa.string()),
        ("reason", pa.string()),
        ("chars", pa.int64()),
        ("pii_bits", pa.uint64()),
        ("pii_counts", pa.map_(pa.string(), pa.int64())),
        ("suppressed", pa.map_(pa.string(), pa.int64())),
        ("tied_bits", pa.uint64()),
        ("persons", pa.int32()),
        ("rules", pa.list_(_RULE_HIT)),
        ("screened_positive", pa.bool_()),
        ("health_distance", pa.float64()),
        ("health_positive", pa.bool_()),
        ("health_terms", pa.list_(pa.string())),
        ("health_class", pa.string()),
        ("health_threshold", pa.float64()),  # what health_distance had to keep within
        ("health_nearest", pa.list_(_NEIGHBOUR)),
        ("health_person", pa.int32()),
        ("referred", pa.bool_()),
        ("risk", pa.string()),
        ("evidence", pa.list_(_EVIDENCE)),
        ("duplicate_of", pa.string()),
        ("source", pa.string()),
        ("metadata", pa.map_(pa.string(), pa.string())),
        ("path", pa.binary()),  # only where the uri had to be escaped or names a link
        ("access", pa.string()),
    ]
)


def parquet_bytes(records: Sequence[FileRecord], totals_after: Callable[[float], dict[str, Any]]) -> memoryview:
    """One unit as a whole Parquet file; `totals_after` gets the seconds spent here and gives the totals that go into the footer,

    so that a summary never has to read the rows.
    """
    started = time.perf_counter()
    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(sink, SCHEMA, compression="zstd") as writer:
        writer.write_table(pa.Table.from_pylist([_row(record) for record in records], schema=SCHEMA))
        totals = totals_after(time.perf_counter() - started)
        writer.add_key_value_metadata({TOTALS_KEY: json.dumps(totals), FORMAT_KEY: str(RESULTS_FORMAT)})
    return memoryview(sink.getvalue())


def written_table(table: pa.Table, totals: dict[str, Any]) -> memoryview:
    """Records that are columns already, as a whole Parquet file with their totals."""
    sink = pa.BufferOutputStream()
    others = [path for path in _leaves() if path != "scan_id"]  # the id stands plain: see reissue.py
    with pq.ParquetWriter(sink, SCHEMA, compression=dict.fromkeys(others, "zstd"), write_statistics=others) as writer:
        writer.write_table(table, row_group_size=max(1, table.num_rows))
        writer.add_key_value_metadata({TOTALS_KEY: json.dumps(totals), FORMAT_KEY: str(RESULTS_FORMAT)})
    return memoryview(sink.getvalue())


@cache
def _leaves() -> tuple[str, ...]:
    """The columns by the paths that Parquet knows them by."""
    sink = pa.BufferOutputStream()
    pq.write_table(SCHEMA.empty_table(), sink)
    found = pq.ParquetFile(pa.BufferReader(sink.getvalue())).schema
    return tuple(found.column(at).path for at in range(len(found)))


def footer_totals(handle: BinaryIO) -> dict[str, Any]:
    """The totals of a finished unit, from its footer alone."""
    metadata = pq.read_metadata(handle).metadata or {}
    totals: dict[str, Any] = json.loads(metadata[TOTALS_KEY.encode()])
    return totals


def _row(record: FileRecord) -> dict[str, Any]:
    screening, health, ref = record.screening, record.health, record.ref
    return {
        "scan_id": record.scan_id,
        "uri": record.uri,
        "container_uri": record.container_uri,
        "size": record.size,
        "mtime": ref.mtime_ns // 1000,
        "owner": ref.owner,
        "sha256": record.sha256,
        "media_type": record.media_type,
        "status": record.status.value,
        "reason": record.reason,
        "chars": record.chars,
        "pii_bits": screening.bits,
        "pii_counts": list(screening.counts),
        "suppressed": list(screening.suppressed),
        "tied_bits": screening.tied,
        "persons": screening.persons,
        "rules": [{"rule": hit.rule, "prototype": hit.prototype, "distance": hit.distance} for hit in screening.rules],
        "screened_positive": screening.positive,
        "health_distance": health.distance if health else None,
        "health_positive": health.positive if health else None,
        "health_terms": list(health.terms) if health else [],
        "health_class": health.label.value if health else None,
        "health_threshold": health.threshold if health else None,
        "health_nearest": [{"prototype": one.prototype, "distance": one.distance} for one in health.nearest]
        if health
        else [],
        "health_person": health.person if health else None,
        "referred": record.referred,
        "risk": screening.risk.value,
        "evidence": [{name: getattr(piece, name) for name in _EVIDENCE.names} for piece in screening.evidence],
        "duplicate_of": record.duplicate_of,
        "source": ref.source,
        "metadata": list(ref.metadata),
        "path": ref.path if ref.path.decode("utf-8", "replace") != ref.uri else None,
        "access": ref.access or None,
    }

"""FileRefs -> plan.arrow, one record batch a work unit; and back, one unit at a time.

The plan is written once, before anything is examined. Workers are handed unit numbers and read their own refs from it, so
nothing but numbers crosses a shuffle, and a resumed scan works through the very same units.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from core.records import FileRef
from pipelines import storage

_SCHEMA = pa.schema(
    [
        ("uri", pa.string()),
        ("path", pa.binary()),
        ("size", pa.int64()),
        ("mtime_ns", pa.int64()),
        ("inode", pa.uint64()),
        ("owner", pa.string()),
        ("source", pa.string()),
        ("metadata", pa.map_(pa.string(), pa.string())),
        ("fault", pa.string()),
        ("etag", pa.string()),
    ]
)


@dataclass(frozen=True, slots=True)
class PlanTotals:
    """The walk's own count, against which the records are reconciled."""

    units: int
    files: int
    bytes: int


def units_of(refs: Iterable[FileRef], unit_files: int, unit_bytes: int) -> Iterator[list[FileRef]]:
    unit: list[FileRef] = []
    size = 0
    for ref in refs:
        if unit and (len(unit) >= unit_files or size + ref.size > unit_bytes):
            yield unit
            unit, size = [], 0
        unit.append(ref)
        size += ref.size
    if unit:
        yield unit


def write_plan(uri: str, refs: Iterable[FileRef], unit_files: int, unit_bytes: int) -> PlanTotals:
    """Writes to a local file first, since a walk can be longer than memory, then puts it in its place."""
    units = files = size = 0
    local = Path(uri if storage.is_local(uri) else f"{os.environ.get('TMPDIR', '/tmp')}/{os.getpid()}.plan")  # noqa: S108
    temporary = local.with_name(f".{local.name}.tmp")
    try:
        with pa.OSFile(str(temporary), "wb") as sink, pa.ipc.new_file(sink, _SCHEMA) as writer:
            for unit in units_of(refs, unit_files, unit_bytes):
                writer.write_batch(_batch(unit))
                units += 1
                files += len(unit)
                size += sum(ref.size for ref in unit)
        if storage.is_local(uri):
            temporary.replace(uri)
        else:
            storage.write_whole(uri, temporary.read_bytes())
    finally:
        temporary.unlink(missing_ok=True)
    return PlanTotals(units, files, size)


def read_unit(uri: str, number: int) -> list[FileRef]:
    with storage.open_read(uri) as handle, pa.ipc.open_file(handle) as plan:
        return [_ref(row) for row in plan.get_batch(number).to_pylist()]


def _batch(unit: list[FileRef]) -> pa.RecordBatch:
    columns = [pa.array([_cell(ref, field.name) for ref in unit], field.type) for field in _SCHEMA]
    return pa.record_batch(columns, schema=_SCHEMA)


def _cell(ref: FileRef, name: str) -> object:
    value: object = getattr(ref, name)
    return list(ref.metadata) if name == "metadata" else value


def _ref(row: dict[str, object]) -> FileRef:
    row["metadata"] = tuple(row["metadata"])  # type: ignore[arg-type]
    return FileRef(**row)  # type: ignore[arg-type]

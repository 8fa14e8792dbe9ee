"""What a walk finds -> Arrow columns on disk -> plan.arrow: one record batch per work unit, then what is carried over.

The plan is written once, before anything is examined. Workers get unit numbers and read their refs from the plan, so
only numbers cross a shuffle, and a resumed scan has the same units.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.records import FileRef
from pipelines import storage
from pipelines.plan.units import Indices, units_of
from pipelines.results.arrow import pa
from pipelines.sources.local import FolderListing
from pipelines.sources.paths import escape, owner_name

PLAN_SCHEMA = pa.schema(
    [
        ("uri", pa.string()),
        ("path", pa.binary()),  # only where it differs from the uri
        ("size", pa.int64()),
        ("mtime_ns", pa.int64()),
        ("inode", pa.uint64()),
        ("device", pa.uint64()),
        ("owner", pa.string()),
        ("source", pa.string()),
        ("metadata", pa.map_(pa.string(), pa.string())),  # null: none
        ("fault", pa.string()),  # null: none
        ("etag", pa.string()),  # null: none
        ("access", pa.string()),
    ]
)
_ROWS_AT_ONCE = 16_384
_TAKEN_AT_ONCE = 16_384  # rows that are brought into their order at a time


@contextmanager
def spooled_walk(folder: str, listings: Iterable[FolderListing | FileRef]) -> Iterator[pa.Table]:
    """The whole walk as one table, on disk and memory-mapped: a walk can be larger than memory."""
    place = folder if storage.is_local(folder) else os.environ.get("TMPDIR", "/tmp")  # noqa: S108
    file = Path(place, f".{os.getpid()}.walk")
    try:
        file.touch(mode=0o600)
        with pa.OSFile(str(file), "wb") as sink, pa.ipc.new_file(sink, PLAN_SCHEMA) as writer:
            for batch in batches(listings):
                writer.write_batch(batch)
        with pa.memory_map(str(file)) as source:
            yield pa.ipc.open_file(source).read_all()
    finally:
        file.unlink(missing_ok=True)


def batches(listings: Iterable[FolderListing | FileRef]) -> Iterator[pa.RecordBatch]:
    """Many small folders become one batch, so that Arrow is asked for few and large columns."""
    waiting: list[FolderListing] = []
    rows = 0
    odd: list[FileRef] = []
    for listing in listings:
        if isinstance(listing, FileRef):
            odd.append(listing)
            rows += 1
        else:
            waiting.append(listing)
            rows += len(listing.names)
        if rows >= _ROWS_AT_ONCE:
            yield from _flushed(waiting, odd)
            waiting, odd, rows = [], [], 0
    yield from _flushed(waiting, odd)


def _flushed(waiting: list[FolderListing], odd: list[FileRef]) -> Iterator[pa.RecordBatch]:
    if waiting:
        yield _batch_of_found(waiting)
    if odd:
        yield batch_of_refs(odd)


def _batch_of_found(listings: list[FolderListing]) -> pa.RecordBatch:
    """No FileRef is made: a tree of a million files is listed in seconds."""
    uris: list[str] = []
    paths: list[bytes | None] = []
    sources: list[str] = []
    for listing in listings:
        plain = _plain_uris(listing)
        if plain is None:
            named = [(ref.uri, ref.path) for ref in listing.refs()]
            uris += [uri for uri, _ in named]
            paths += [path if path != uri.encode("utf-8", "surrogateescape") else None for uri, path in named]
        else:
            uris += plain
            paths += [None] * len(plain)
        sources += [listing.source] * len(listing.names)
    seen = [status for listing in listings for status in listing.seen]
    columns = [
        pa.array(uris, pa.string()),
        pa.array(paths, pa.binary()),
        pa.array([status.st_size for status in seen], pa.int64()),
        pa.array([status.st_mtime_ns for status in seen], pa.int64()),
        pa.array([status.st_ino for status in seen], pa.uint64()),
        pa.array([status.st_dev for status in seen], pa.uint64()),
        pa.array([owner_name(status.st_uid) for status in seen], pa.string()),
        pa.array(sources, pa.string()),
        pa.nulls(len(seen), PLAN_SCHEMA.field("metadata").type),
        pa.nulls(len(seen), pa.string()),
        pa.nulls(len(seen), pa.string()),
        pa.array([access for listing in listings for access in listing.access], pa.string()),
    ]
    return pa.record_batch(columns, schema=PLAN_SCHEMA)


def _plain_uris(listing: FolderListing) -> list[str] | None:
    """The paths as text, or nothing where a name is not UTF-8 or the user knows the folder by another one."""
    if listing.folder != listing.shown:
        return None
    try:
        folder = listing.folder.decode("utf-8").rstrip("/")
        "".join(listing.names).encode("utf-8")
    except UnicodeError:
        return None
    return [f"{folder}/{name}" for name in listing.names]


def batch_of_refs(refs: list[FileRef]) -> pa.RecordBatch:
    return pa.record_batch(
        [pa.array([_cell(ref, field.name) for ref in refs], field.type) for field in PLAN_SCHEMA], schema=PLAN_SCHEMA
    )


def _cell(ref: FileRef, name: str) -> object:
    if name == "metadata":
        return list(ref.metadata) or None
    if name == "path":
        return None if escape(ref.path) == ref.uri and ref.path == os.fsencode(ref.uri) else ref.path
    value: object = getattr(ref, name)
    return (value or None) if name in ("fault", "etag") else value


@dataclass(frozen=True, slots=True)
class PlanTotals:
    """The walk's own count, against which the records are reconciled."""

    units: int
    files: int
    bytes: int


def write_plan(
    uri: str,
    files: pa.Table,
    unit_files: int,
    unit_bytes: int,
    *,
    to_read: Indices | None = None,
    carried: Iterable[Indices] = (),
) -> PlanTotals:
    """`to_read` and `carried` are rows of `files`; each element of `carried` is one batch after the units."""
    chosen = np.arange(files.num_rows) if to_read is None else to_read
    units = 0
    with storage.whole_file(uri) as file, pa.ipc.new_file(file, PLAN_SCHEMA) as writer:
        for unit in _in_order(files, units_of(files, chosen, unit_files, unit_bytes)):
            writer.write_batch(unit)
            units += 1
        for rows in carried:
            writer.write_batch(_taken(files, rows))
    size = int(files["size"].to_numpy()[chosen].sum()) if len(chosen) else 0
    return PlanTotals(units, len(chosen), size)


def _in_order(files: pa.Table, units: Iterable[Indices]) -> Iterator[pa.RecordBatch]:
    """Rows are taken for many units at once: looking one row up among many batches costs as much as looking up many."""
    waiting: list[Indices] = []
    rows = 0
    for unit in units:
        waiting.append(unit)
        rows += len(unit)
        if rows >= _TAKEN_AT_ONCE:
            yield from _cut(files, waiting)
            waiting, rows = [], 0
    yield from _cut(files, waiting)


def _cut(files: pa.Table, units: list[Indices]) -> Iterator[pa.RecordBatch]:
    if not units:
        return
    (taken,) = files.take(pa.array(np.concatenate(units))).combine_chunks().to_batches()
    at = 0
    for unit in units:
        yield taken.slice(at, len(unit))
        at += len(unit)


def _taken(files: pa.Table, rows: Indices) -> pa.RecordBatch:
    whole = files.num_rows == len(rows) and bool(np.array_equal(rows, np.arange(len(rows))))
    (batch,) = (files if whole else files.take(pa.array(rows))).combine_chunks().to_batches() or [
        pa.RecordBatch.from_pylist([], PLAN_SCHEMA)
    ]
    return batch


def read_unit(uri: str, number: int) -> list[FileRef]:
    with storage.open_read(uri) as handle, pa.ipc.open_file(handle) as plan:
        return refs_of(plan.get_batch(number))


def refs_of(batch: pa.RecordBatch) -> list[FileRef]:
    return [_ref(row) for row in batch.to_pylist()]


def _ref(row: dict[str, object]) -> FileRef:
    """A column that an older plan does not have is left at its default."""
    values = {name: value for name, value in row.items() if value is not None}
    if "path" not in values:
        values["path"] = str(row["uri"]).encode("utf-8")
    if "metadata" in values:
        values["metadata"] = tuple(values["metadata"])  # type: ignore[arg-type]
    return FileRef(**values)  # type: ignore[arg-type]

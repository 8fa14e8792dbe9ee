"""Files that are to be read -> work units, such that files with the same content always share one.

Only files of one size can have the same content. So files of one size share a unit. If they are too many for one unit,
a hash of the first and last few kilobytes of each divides them further.
"""

import hashlib
import os
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from extraction.opening.local import open_file
from pipelines import storage

Indices = NDArray[np.int64]
_LOOK = 4_096  # bytes at each end
_FILES_BEFORE_LOOKING = 10  # times the files of a unit that may stand in one, if they are of one size
_FILES_OF_ONE_CONTENT = 100  # times the files of a unit that may stand in one, if they look alike


def units_of(files: pa.Table, rows: Indices, unit_files: int, unit_bytes: int) -> Iterator[Indices]:
    """Every row once; a unit keeps to its size, unless files that may have the same content are more."""
    sizes = files["size"].to_numpy()
    unit: list[Indices] = []
    count = size = 0
    for like in _alike(files, rows, sizes, unit_files, unit_bytes):
        total = int(sizes[like].sum())
        if unit and (count + len(like) > unit_files or size + total > unit_bytes):
            yield np.concatenate(unit)
            unit, count, size = [], 0, 0
        unit.append(like)
        count += len(like)
        size += total
    if unit:
        yield np.concatenate(unit)


def _alike(
    files: pa.Table, rows: Indices, sizes: NDArray[np.int64], unit_files: int, unit_bytes: int
) -> Iterator[Indices]:
    """Groups that must not be parted."""
    for group in _by_size(files, rows, sizes):
        size = int(sizes[group[0]])
        if len(group) == 1 or (len(group) <= unit_files * _FILES_BEFORE_LOOKING and len(group) * size <= unit_bytes):
            yield group
            continue
        by_look: dict[bytes, list[int]] = {}
        for row in group.tolist():
            by_look.setdefault(_ends_digest_of(files, row), []).append(row)
        most = unit_files * _FILES_OF_ONE_CONTENT
        for like in by_look.values():
            yield from (np.array(like[at : at + most], dtype=np.int64) for at in range(0, len(like), most))


def _by_size(files: pa.Table, rows: Indices, sizes: NDArray[np.int64]) -> Iterator[Indices]:
    """Rows of one size together, in place of the first; empty and unreadable files stay alone."""
    if not len(rows):
        return
    alone = (sizes[rows] == 0) | files["fault"].is_valid().to_numpy()[rows]
    keys = np.where(alone, -1 - np.arange(len(rows)), sizes[rows])
    _, first, group = np.unique(keys, return_index=True, return_inverse=True)
    place = first[group]
    order = np.argsort(place, kind="stable")
    ends = np.flatnonzero(np.diff(place[order], append=-1)) + 1
    ordered = rows[order]
    start = 0
    for end in ends.tolist():
        yield ordered[start:end]
        start = end


def _ends_digest_of(files: pa.Table, row: int) -> bytes:
    path: bytes = files["path"][row].as_py() or files["uri"][row].as_py().encode("utf-8")
    if not storage.is_local(os.fsdecode(path)):
        return path
    return ends_digest(path) or path


def ends_digest(path: bytes) -> bytes:
    """A hash of both ends of a file: files that differ in it differ; empty where it cannot be read."""
    try:
        descriptor = open_file(path)
    except (OSError, ValueError):
        return b""
    try:
        size = os.fstat(descriptor).st_size
        ends = os.pread(descriptor, _LOOK, 0) + os.pread(descriptor, _LOOK, max(_LOOK, size - _LOOK))
        return hashlib.blake2b(ends, digest_size=16).digest()
    except OSError:
        return b""
    finally:
        os.close(descriptor)

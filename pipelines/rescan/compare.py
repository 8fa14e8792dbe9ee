"""A previous plan and a new walk -> which files are unchanged, by path, size, time and inode, and which moved."""

import os
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

Rows = NDArray[np.int64]
GONE = -1


@dataclass(frozen=True, slots=True)
class Unchanged:
    """For each row of the previous plan its row in the new walk, or GONE; and the rows whose path changed."""

    now: Rows
    moved: NDArray[np.bool_]


def unchanged(before: pa.Table, after: pa.Table, trusted_before_ns: int) -> Unchanged:
    settled = before["fault"].is_null().to_numpy() & (before["mtime_ns"].to_numpy() < trusted_before_ns)
    now = _verified(before, after, _by_inode(before, after), settled)
    same = now >= 0
    named = np.zeros(len(now), dtype=bool)
    named[same] = _equal_names(before, after, np.flatnonzero(same), now[same])
    candidates = np.where(same & ~named, now, GONE)
    now = np.where(named, now, GONE)
    left = np.flatnonzero(settled & (now < 0))
    if len(left):
        by_name = np.full(len(now), GONE)
        by_name[left] = _index_in(before["uri"].take(pa.array(left)), after["uri"])
        by_name = _verified(before, after, by_name, settled)
        now = np.where(now >= 0, now, by_name)
    return _with_moved(before, after, now, candidates)


def _by_inode(before: pa.Table, after: pa.Table) -> Rows:
    """Numbers are quicker to look up than paths, and a file that is still itself has kept its own."""
    return np.where(before["inode"].to_numpy() > 0, _index_in(before["inode"], after["inode"]), GONE)


def _index_in(values: pa.ChunkedArray, among: pa.ChunkedArray) -> Rows:
    places = pc.index_in(values, value_set=among.combine_chunks()).fill_null(GONE)
    rows: Rows = places.to_numpy().astype(np.int64)
    return rows


def _verified(before: pa.Table, after: pa.Table, now: Rows, settled: NDArray[np.bool_]) -> Rows:
    rows = np.flatnonzero((now >= 0) & settled)
    there = now[rows]
    alike = np.ones(len(rows), dtype=bool)
    for name in ("size", "mtime_ns", "inode", "device"):
        alike &= before[name].to_numpy()[rows] == after[name].to_numpy()[there]
    if before["etag"].null_count < len(before) or after["etag"].null_count < len(after):
        etags = (_taken(before["etag"], rows), _taken(after["etag"], there))
        alike &= pc.equal(*(etag.fill_null("") for etag in etags)).to_numpy(zero_copy_only=False)
    alike &= after["fault"].is_null().to_numpy()[there]
    alike &= _is_source(before)[rows] == _is_source(after)[there]
    verified = np.full(len(now), GONE)
    verified[rows[alike]] = there[alike]
    return verified


def _is_source(plan: pa.Table) -> NDArray[np.bool_]:
    """An archive that is named by itself is read further than one in a folder."""
    named: NDArray[np.bool_] = pc.equal(plan["uri"], plan["source"]).fill_null(False).to_numpy()
    return named


def _equal_names(before: pa.Table, after: pa.Table, rows: Rows, there: Rows) -> NDArray[np.bool_]:
    equal = pc.equal(_taken(before["uri"], rows), _taken(after["uri"], there))
    odd = pc.or_(_taken(before["path"], rows).is_valid(), _taken(after["path"], there).is_valid())
    same: NDArray[np.bool_] = equal.to_numpy(zero_copy_only=False)
    for at in np.flatnonzero(odd.to_numpy(zero_copy_only=False)):
        same[at] = same[at] and before["path"][int(rows[at])] == after["path"][int(there[at])]
    return same


def _taken(column: pa.ChunkedArray, rows: Rows) -> pa.Array:
    whole = len(rows) == len(column) and bool(np.array_equal(rows, np.arange(len(rows))))
    taken = column if whole else column.take(pa.array(rows))
    return taken.combine_chunks() if isinstance(taken, pa.ChunkedArray) else taken


def _with_moved(before: pa.Table, after: pa.Table, now: Rows, candidates: Rows) -> Unchanged:
    """Same inode, size and time under a new path: moved, if the name is the same, since names are screened."""
    taken = set(now[now >= 0].tolist())
    moved = np.zeros(len(now), dtype=bool)
    for row in np.flatnonzero((candidates >= 0) & (now < 0)):
        there = int(candidates[row])
        if there not in taken and _name(before, int(row)) == _name(after, there):
            taken.add(there)
            now[row] = there
            moved[row] = True
    return Unchanged(now, moved)


def _name(files: pa.Table, row: int) -> bytes:
    path: bytes = files["path"][row].as_py() or files["uri"][row].as_py().encode("utf-8")
    return os.path.basename(path)

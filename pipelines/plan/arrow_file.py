"""Walked files -> plan.arrow: one record batch per work unit, then the files that are carried over; and back.

The plan is written once, before anything is examined. Workers get unit numbers and read their refs from the plan, so
only numbers cross a shuffle, and a resumed scan has the same units.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from core.records import FileRef
from pipelines import storage
from pipelines.plan.columns import PLAN_SCHEMA, refs_of
from pipelines.plan.units import Indices, units_of

_TAKEN_AT_ONCE = 16_384  # rows that are brought into their order at a time


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

"""A previous scan's records of unchanged files -> the same records in a new scan, without reading the files."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from core.records import Status
from extraction.examine import CHANGED
from pipelines import storage
from pipelines.plan.arrow_file import PLAN_SCHEMA
from pipelines.rescan.compare import GONE, Rows, unchanged
from pipelines.rescan.previous import PreviousScan
from pipelines.rescan.record_batches import record_batches
from pipelines.rescan.rescreen import Rescreen
from pipelines.rescan.scan_id_patch import RecordsFingerprint
from pipelines.results.folder import ScanFolder, carried_file
from pipelines.results.parquet import carried_parquet
from pipelines.results.people import PeopleFile, people_batches
from pipelines.results.schema import SCHEMA
from pipelines.results.top_level import top_level_file_of
from pipelines.results.totals import table_totals

_TRIED_AGAIN = pa.array([Status.FAILED.value, Status.UNREADABLE.value])
_TIMED_OUT = "timed out"


@dataclass(frozen=True, slots=True)
class Carried:
    """Which rows of the walk have their records already, a block for each file that they were written to."""

    blocks: list[Rows]
    records: int
    sha256: str | None = None  # of the records, whichever scan carries them

    @property
    def rows(self) -> Rows:
        return np.concatenate(self.blocks) if self.blocks else np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class _Block:
    """Consecutive batches of the previous plan, and the records that belong to them."""

    files: pa.Table
    records: pa.Table
    now: Rows  # of each file its row in the new walk
    moved: NDArray[np.bool_]
    names: list[str]  # of the files that the records were read from


def carry_over(
    previous: PreviousScan,
    folder: ScanFolder,
    walked: pa.Table,
    rescreen: Rescreen,
    wanted: NDArray[np.bool_],
    key: bytes | None = None,
) -> Carried:
    """Writes the records of unchanged files that are `wanted` to the new scan's folder, unless they need reading."""
    blocks: list[Rows] = []
    records = 0
    written = RecordsFingerprint()
    for block in _blocks(previous, walked, wanted):
        now, table, uris = _carried(block, walked, rescreen, folder.scan_id)
        if len(now):
            name = carried_file(len(blocks))
            people = _carried_people(previous.carry_from[0], block.names, uris, table)
            people.write(storage.join(folder.people, name), key)
            content = carried_parquet(table, table_totals(table), key)
            storage.write_whole(storage.join(folder.files, name), content)
            written.add(content, folder.scan_id)
            blocks.append(now)
            records += table.num_rows
    return Carried(blocks, records, written.sha256)


def _blocks(previous: PreviousScan, walked: pa.Table, wanted: NDArray[np.bool_]) -> Iterator[_Block]:
    folder, units = previous.carry_from
    with storage.open_mapped(folder.plan) as source, pa.ipc.open_file(source) as plan:
        batches = [plan.get_batch(number) for number in range(plan.num_record_batches)]
        before = pa.Table.from_batches(batches, plan.schema)
        if not before.num_rows or not set(PLAN_SCHEMA.names) <= set(before.column_names):  # an older version's plan
            return
        matches = unchanged(before, walked, previous.trusted_before_ns)
        now = np.where((matches.now >= 0) & wanted[matches.now], matches.now, GONE)
        starts = np.cumsum([0, *(batch.num_rows for batch in batches)])
        kept = np.add.reduceat(now >= 0, starts[:-1]) * (np.diff(starts) > 0)
        wanted_batches = np.flatnonzero(kept).tolist()
        for batch in record_batches(folder, units, wanted_batches):
            start, end = int(starts[batch.first]), int(starts[batch.end])
            yield _Block(
                before.slice(start, end - start).combine_chunks(),
                batch.records,
                now[start:end],
                matches.moved[start:end],
                batch.names,
            )


def _carried(
    block: _Block, walked: pa.Table, rescreen: Rescreen, scan_id: str
) -> tuple[Rows, pa.Table, pa.ChunkedArray]:
    """The rows of the walk, their records, and the uris that these had before."""
    file_of = top_level_file_of(block.records, block.files["uri"])
    screened, needs_text = rescreen.apply(block.records)
    kept = (block.now >= 0) & ~_files_with(file_of, needs_text | needs_retry(screened), len(block.now))
    kept &= ~_lost_originals(screened, file_of, kept & ~block.moved)
    rows = np.flatnonzero(kept[file_of])
    if not len(rows):
        return np.empty(0, dtype=np.int64), screened.slice(0, 0), screened["uri"].slice(0, 0)
    table = screened if len(rows) == screened.num_rows else screened.take(pa.array(rows))
    files = file_of[rows]
    return block.now[kept], _refresh_columns(table, block, files, walked, scan_id), table["uri"]


def _carried_people(before: ScanFolder, names: list[str], uris: pa.ChunkedArray, records: pa.Table) -> PeopleFile:
    """The people of these records under their new uris; without a health verdict there is no health with anybody."""
    people, old = PeopleFile(), uris.combine_chunks()
    for rows in people_batches(before, names):
        at = pc.index_in(rows["uri"], value_set=old)
        rows, at = rows.filter(at.is_valid()), at.drop_null()
        health = pc.and_(rows["health"], records["screened_positive"].take(at))
        columns = {"uri": records["uri"].take(at), "health": health}
        for name, column in columns.items():
            rows = rows.set_column(rows.column_names.index(name), name, column)
        people.add_table(rows)
    return people


def _files_with(file_of: Rows, records: NDArray[np.bool_], files: int) -> NDArray[np.bool_]:
    """The files of which any record is among `records`."""
    return np.bincount(file_of[records], minlength=files) > 0


def needs_retry(records: pa.Table) -> NDArray[np.bool_]:
    """What failed, could not be read, changed meanwhile or took too long may do better today."""
    reasons = records["reason"]
    again = pc.or_(pc.is_in(records["status"], value_set=_TRIED_AGAIN), pc.equal(reasons, CHANGED))
    flags: NDArray[np.bool_] = pc.or_(again, pc.starts_with(reasons, _TIMED_OUT)).to_numpy()
    return flags


def _lost_originals(records: pa.Table, file_of: Rows, stays: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Copies of a file that is no longer there as it was: they have to be examined for themselves."""
    copies = np.flatnonzero(records["duplicate_of"].is_valid().to_numpy())
    lost = np.zeros(len(stays), dtype=bool)
    if len(copies):
        first = pc.index_in(records["duplicate_of"].take(pa.array(copies)), value_set=records["uri"].combine_chunks())
        at = first.fill_null(GONE).to_numpy()
        lost[file_of[copies[(at < 0) | ~stays[file_of[at]]]]] = True
    return lost


def _refresh_columns(table: pa.Table, block: _Block, files: Rows, walked: pa.Table, scan_id: str) -> pa.Table:
    """The new scan's id, and today's owner, access, source, metadata and path."""
    now = pa.array(block.now[files])
    columns = {name: table[name] for name in table.column_names}
    columns["scan_id"] = pa.repeat(scan_id, table.num_rows)
    columns["owner"] = walked["owner"].take(now)
    columns["source"] = walked["source"].take(now)
    columns["access"] = _null_if_empty(walked["access"].take(now))
    metadata = walked["metadata"].take(now)
    if (
        metadata.null_count < len(metadata)
        or pc.sum(pc.list_value_length(table["metadata"].cast(pa.list_(_ENTRY)))).as_py()
    ):
        columns["metadata"] = pa.array([entry or [] for entry in metadata.to_pylist()], SCHEMA.field("metadata").type)
    if block.moved[files].any():
        columns |= _moved(table, block, files, walked)
    return pa.table([columns[name] for name in SCHEMA.names], schema=SCHEMA)


def _null_if_empty(access: pa.ChunkedArray) -> pa.ChunkedArray:
    return pc.if_else(pc.equal(access, ""), pa.scalar(None, pa.string()), access)


_ENTRY = pa.struct([pa.field("key", pa.string(), nullable=False), pa.field("value", pa.string())])


def _moved(table: pa.Table, block: _Block, files: Rows, walked: pa.Table) -> dict[str, pa.Array]:
    """The part of each path that was the file's own is replaced by the path it has now."""
    before = block.files["uri"].to_pylist()
    columns = {name: table[name].to_pylist() for name in ("uri", "container_uri", "path")}
    for at in np.flatnonzero(block.moved[files]).tolist():
        old, row = before[files[at]], int(block.now[files[at]])
        new = walked["uri"][row].as_py()
        for name in ("uri", "container_uri"):
            if columns[name][at] is not None:
                columns[name][at] = new + columns[name][at][len(old) :]
        columns["path"][at] = walked["path"][row].as_py()
    return {name: pa.array(values, SCHEMA.field(name).type) for name, values in columns.items()}

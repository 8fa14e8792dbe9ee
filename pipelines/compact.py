"""Many small Parquet files of a finished scan -> one file with few row groups, from which the next scan carries over ten times as fast.

It holds nothing that the units do not hold, and whoever reads results reads the units: it may be deleted.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import pyarrow as pa
import pyarrow.parquet as pq

from pipelines import storage
from pipelines.results import ScanFolder, carried_file, unit_file
from pipelines.table import SCHEMA

BATCHES_KEY = "leakscreen.batches"
RECORDS_AT_ONCE = 65_536
_WORTH_IT = 50  # files below which reading them one by one takes no time


@dataclass(frozen=True, slots=True)
class Portion:
    """Records of consecutive batches of a plan, those from `first` up to but not including `end`."""

    first: int
    end: int
    records: pa.Table


def file_of_batch(number: int, units: int) -> str:
    """The plan's batches are the units, and after them what was carried over."""
    return unit_file(number) if number < units else carried_file(number - units)


def compact(folder: ScanFolder, units: int) -> None:
    """Only local results: moving the whole of a remote scan once more would cost more than it saves."""
    if units < _WORTH_IT or not storage.is_local(folder.uri) or storage.exists(folder.compact):
        return
    temporary = f"{folder.compact}.{os.getpid()}.tmp"
    ends = []
    names = [file_of_batch(number, units) for number in range(len(folder.unit_names()))]
    try:
        with pq.ParquetWriter(temporary, SCHEMA, compression="zstd") as writer:
            os.chmod(temporary, 0o600)
            for portion in _gathered(folder, list(enumerate(names))):
                writer.write_table(portion.records, row_group_size=portion.records.num_rows)
                ends.append(portion.end)
            writer.add_key_value_metadata({BATCHES_KEY: json.dumps(ends)})
        os.replace(temporary, folder.compact)
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)


def portions(folder: ScanFolder, units: int, wanted: list[int], batches: int) -> Iterator[Portion]:
    """The records of the wanted batches, and of others where those come along."""
    ends = _ends(folder)
    if ends[-1:] != [batches]:  # there is none, or not of this plan
        yield from _gathered(folder, [(number, file_of_batch(number, units)) for number in wanted])
        return
    with storage.open_mapped(folder.compact) as source:
        file = pq.ParquetFile(source)
        for group, (first, end) in enumerate(pairwise([0, *ends])):
            if any(first <= number < end for number in wanted):
                yield Portion(first, end, file.read_row_group(group))


def _ends(folder: ScanFolder) -> list[int]:
    if not storage.exists(folder.compact):
        return []
    with storage.open_mapped(folder.compact) as source:
        ends: list[int] = json.loads(pq.read_metadata(source).metadata[BATCHES_KEY.encode()])
    return ends


def _gathered(folder: ScanFolder, files: list[tuple[int, str]]) -> Iterator[Portion]:
    tables: list[pa.Table] = []
    first, rows = 0, 0
    for at, (number, name) in enumerate(files):
        with storage.open_mapped(storage.join(folder.files, name)) as source:
            tables.append(pq.ParquetFile(source).read())
        rows += tables[-1].num_rows
        if rows >= RECORDS_AT_ONCE or at == len(files) - 1:
            yield Portion(first, number + 1, pa.concat_tables(tables).combine_chunks())
            tables, first, rows = [], number + 1, 0

"""A finished scan's files of records -> their tables, some ten thousand records at a time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq

from pipelines import storage
from pipelines.results.folder import ScanFolder, file_of_batch

RECORDS_AT_ONCE = 16_384  # of which each takes up to nine kilobytes while they are gathered and written


@dataclass(frozen=True, slots=True)
class RecordBatch:
    """Records of consecutive batches of a plan, those from `first` up to but not including `end`."""

    first: int
    end: int
    records: pa.Table
    names: list[str]  # of the files that they were read from; those of their people have the same


def record_batches(folder: ScanFolder, units: int, wanted: Sequence[int]) -> Iterator[RecordBatch]:
    """The records of the wanted batches; small ones come together."""
    tables: list[pa.Table] = []
    names: list[str] = []
    first, rows = 0, 0
    for at, number in enumerate(wanted):
        names.append(file_of_batch(number, units))
        with storage.open_mapped(storage.join(folder.files, names[-1])) as source:
            tables.append(pq.ParquetFile(source).read())
        rows += tables[-1].num_rows
        if rows >= RECORDS_AT_ONCE or at == len(wanted) - 1:
            yield RecordBatch(first, number + 1, pa.concat_tables(tables).combine_chunks(), names)
            tables, names, first, rows = [], [], number + 1, 0

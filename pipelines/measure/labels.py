"""A labels file (CSV, JSON lines or Parquet; a path or any Beam filesystem URI) -> its uris and labels, row by row."""

from collections.abc import Iterator

import pyarrow.parquet as pq

from core.errors import LabelError
from evaluation.labels import OPTIONAL, REQUIRED, Label, gather, label_of, parse
from pipelines import storage

_ROWS_AT_ONCE = 10_000


def label_rows(uri: str) -> Iterator[tuple[int, str, Label]]:
    """Line (or row) number, file uri and label; memory stays flat whatever the size of the file."""
    try:
        with storage.open_read(uri) as handle:
            if not uri.endswith(".parquet"):
                yield from parse(uri, handle)
                return
            file = pq.ParquetFile(handle)
            columns = _columns(uri, file.schema_arrow.names)
            number = 0
            for batch in file.iter_batches(_ROWS_AT_ONCE, columns=columns):
                for row in batch.to_pylist():
                    number += 1
                    yield number, row["uri"], label_of(uri, number, row)
    except OSError as error:
        raise LabelError(f"{uri}: labels cannot be read: {error.strerror or type(error).__name__}") from None


def read_labels_of(uri: str) -> dict[str, Label]:
    return gather(uri, label_rows(uri))


def _columns(uri: str, names: list[str]) -> list[str]:
    missing = [name for name in REQUIRED if name not in names]
    if missing:
        raise LabelError(f"{uri}: lacks the column {' and '.join(missing)}")
    return [name for name in (*REQUIRED, *OPTIONAL) if name in names]

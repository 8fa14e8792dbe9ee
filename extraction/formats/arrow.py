"""Parquet, ORC, Arrow or Feather file -> its rows, batch by batch; documents in its cells as members."""

from collections.abc import Iterator
from typing import Any

from core.records import Segment
from extraction.content import Content
from extraction.format import Member
from extraction.identify.identify import identify
from extraction.lazy_import import LazyModule
from extraction.limits.budget import Budget
from extraction.readers.ooxml.said_in_attributes import is_prose
from extraction.readers.streams.cell_documents import CellDocuments
from extraction.readers.text.decode import decode
from extraction.readers.text.table import table_segments

MEDIA_TYPES = frozenset(
    {
        "application/vnd.apache.orc",
        "application/vnd.apache.parquet",
        "application/vnd.apache.arrow.file",
        "application/x-feather",
    }
)
IS_ARCHIVE = False

BATCH = 1_000
LONGEST_METADATA = 1_000_000
_FEATHER_1 = b"FEA1"
_ARROW = b"ARROW1"
_ORC = b"ORC"
_PYARROW = LazyModule("pyarrow", "pyarrow.feather", "pyarrow.ipc", "pyarrow.orc", "pyarrow.parquet")


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    """Uses one thread: a parser process cannot start others."""
    pa = _PYARROW.load()
    if content.data.startswith(_ARROW):
        # After the signature comes a stream; reading it as one needs no threads and no footer.
        reader = pa.ipc.open_stream(pa.BufferReader(content.data[8:]), options=pa.ipc.IpcReadOptions(use_threads=False))
        schema, batches = reader.schema, iter(reader)
    elif content.data.startswith(_FEATHER_1):
        table = pa.feather.read_table(pa.BufferReader(content.data), use_threads=False, memory_map=False)
        schema, batches = table.schema, iter(table.to_batches(max_chunksize=BATCH))
    elif content.data.startswith(_ORC):
        orc = pa.orc.ORCFile(pa.BufferReader(content.data))
        schema, batches = orc.schema, (orc.read_stripe(number) for number in range(orc.nstripes))
    else:
        parquet = pa.parquet.ParquetFile(content.file(), pre_buffer=False, memory_map=False)
        schema, batches = parquet.schema_arrow, parquet.iter_batches(batch_size=BATCH, use_threads=False)
    documents, dictionaries = CellDocuments(identify), _Dictionaries()
    rows = (documents.without(row) for row in _rows(batches, dictionaries))
    yield from table_segments("table 1", schema.names, rows)
    yield Segment("metadata", "\n".join(_said_in(schema)))
    yield Segment("unused values", "\n".join(dictionaries.unused()))
    yield from documents.members("table 1", budget)


def _said_in(schema: Any) -> Iterator[str]:
    """Sentences that a program wrote next to the columns."""
    for entry in (schema, *schema):
        for value in (entry.metadata or {}).values():
            text = decode(value[:LONGEST_METADATA])
            if is_prose(text) and not text.startswith("{"):
                yield text


class _Dictionaries:
    """Values that are stored once for all rows, whether a row has them or not."""

    def __init__(self) -> None:
        self._stored: dict[str, None] = {}
        self._used: set[str] = set()

    def note(self, column: Any) -> None:
        if hasattr(column, "dictionary") and column.dictionary.type in _text_types():
            self._stored.update(dict.fromkeys(value for value in column.dictionary.to_pylist() if value))
            self._used.update(value for value in column.to_pylist() if value)

    def unused(self) -> list[str]:
        return [value for value in self._stored if value not in self._used]


def _text_types() -> tuple[Any, ...]:
    pa = _PYARROW.load()
    return pa.string(), pa.large_string()


def _rows(batches: Iterator[Any], dictionaries: _Dictionaries) -> Iterator[tuple[object, ...]]:
    for batch in batches:
        for column in batch.columns:
            dictionaries.note(column)
        for start in range(0, batch.num_rows, BATCH):
            piece = batch.slice(start, BATCH)
            yield from zip(*(_values(column) for column in piece.columns), strict=True)


def _values(column: Any) -> list[object]:
    """Arrow's own text for extension types and for dates that Python cannot represent."""
    try:
        return list(column.to_pylist())
    except (ValueError, OverflowError, NotImplementedError):
        return [str(value) for value in column]

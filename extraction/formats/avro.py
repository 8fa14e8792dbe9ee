"""Avro file -> its records as rows; documents in them as members."""

from collections.abc import Iterator
from typing import Any

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, StoppedError
from extraction.identify.identify import identify
from extraction.lazy_import import LazyModule
from extraction.limits.budget import Budget
from extraction.readers.ooxml.said_in_attributes import is_prose
from extraction.readers.streams.cell_documents import CellDocuments
from extraction.readers.text.table import table_segments

MEDIA_TYPES = frozenset({"application/vnd.apache.avro", "application/x-avro"})
IS_ARCHIVE = False

_FASTAVRO = LazyModule("fastavro")
_READABLE_CODECS = frozenset({"null", "deflate", "bzip2", "xz"})


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    reader = _FASTAVRO.load().reader(content.file())
    if reader.codec not in _READABLE_CODECS:
        raise StoppedError(Status.UNSUPPORTED, "compression of this Avro file")
    fields = reader.writer_schema.get("fields") if isinstance(reader.writer_schema, dict) else None
    names = [str(entry["name"]) for entry in fields or ()]
    documents = CellDocuments(identify)
    yield from table_segments("table 1", names, (documents.without(_row(record, names)) for record in reader))
    said = [*_said_in(reader.writer_schema), *_said_in(dict(reader.metadata))]
    yield Segment("schema", "\n".join(dict.fromkeys(said)))
    yield from documents.members("table 1", budget)


def _said_in(value: Any) -> Iterator[str]:
    """Sentences that describe the fields, or were added to the file."""
    if isinstance(value, dict):
        value = [entry for name, entry in value.items() if name != "avro.schema"]
    if isinstance(value, list):
        for entry in value:
            yield from _said_in(entry)
    elif isinstance(value, str) and is_prose(value):
        yield value


def _row(record: Any, names: list[str]) -> list[Any]:
    return [record.get(name) for name in names] if isinstance(record, dict) else [record]

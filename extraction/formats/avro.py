"""Avro file -> its records as rows."""

from collections.abc import Iterator
from typing import Any

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, StoppedError
from extraction.lazy_import import LazyModule
from extraction.limits.budget import Budget
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
    yield from table_segments("table 1", names, (_row(record, names) for record in reader))


def _row(record: Any, names: list[str]) -> list[Any]:
    return [record.get(name) for name in names] if isinstance(record, dict) else [record]

"""Data set of Stata, SAS or SPSS -> its rows under the names and labels of their columns, and its notes."""

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import StoppedError
from extraction.formats.binary import string_segments
from extraction.identify.programs import NAMES, SAS, SPSS, SPSS_PORTABLE, STATA, TRANSPORT, program_of
from extraction.lazy_import import LazyModule
from extraction.limits.budget import Budget
from extraction.readers.text.converters import keep_converters
from extraction.readers.text.table import table_segments

MEDIA_TYPES = frozenset({STATA, SAS, SPSS, SPSS_PORTABLE, TRANSPORT})
IS_ARCHIVE = False

CELLS = 1 << 20  # that are in memory at once
_PYREADSTAT = LazyModule("pyreadstat")
_CONVERTERS = keep_converters()  # the sandbox could not reach them
READERS = {
    STATA: "read_dta",
    SAS: "read_sas7bdat",
    SPSS: "read_sav",
    SPSS_PORTABLE: "read_por",
    TRANSPORT: "read_xport",
}
_PROPERTIES = "properties"
_CARD = 80  # bytes: a transport file is made of whole ones
_LIBRARY = 240  # bytes of the header of a transport file, before its data sets
_DATA_SET = re.compile(rb"HEADER RECORD\*{7}(?:MEMBER  |MEMBV8  )HEADER RECORD!{7}")


def extract(content: Content, budget: Budget) -> Iterator[Segment]:
    kind = program_of(content.data)
    has_rows = False
    try:
        for number, data in enumerate(_data_sets(content.data, kind), 1):
            for segment in _table(data, READERS[kind], f"table {number}"):
                has_rows = has_rows or segment.where != _PROPERTIES
                yield segment
    except MemoryError:
        raise
    except Exception:
        if not has_rows:
            yield from string_segments(content.data)
        lost = "rows are missing" if has_rows else "only its strings were read"
        raise StoppedError(Status.PARTIAL, f"{NAMES[kind]}: {lost}") from None
    if kind == TRANSPORT and len(content.data) % _CARD:  # it does not say how many rows there are
        raise StoppedError(Status.PARTIAL, f"{NAMES[kind]}: rows are missing")


def _data_sets(data: bytes, kind: str) -> Iterator[bytes]:
    """The library reads the first data set of a transport file alone, so each comes as a file of its own."""
    starts = [match.start() for match in _DATA_SET.finditer(data)] if kind == TRANSPORT else []
    if len(starts) < 2:
        yield data
        return
    for start, end in zip(starts, [*starts[1:], len(data)], strict=True):
        yield data[:_LIBRARY] + data[start:end]


def _table(data: bytes, reader: str, where: str) -> Iterator[Segment]:
    read = getattr(_PYREADSTAT.load(), reader)
    _, known = read(io.BytesIO(data), output_format="dict", metadataonly=True)
    yield Segment(_PROPERTIES, "\n".join(text for text in (known.file_label, *known.notes) if text))
    names: list[str] = list(known.column_names)
    labels: list[str | None] = list(known.column_labels) or [None] * len(names)
    columns = [_heading(name, label) for name, label in zip(names, labels, strict=True)]
    yield from table_segments(where, columns, _rows(read, data, names, known.variable_value_labels))


def _heading(name: str, label: str | None) -> str:
    return f"{name} ({label})" if label and label.lower() != name.lower() else name


def _rows(read: Any, data: bytes, names: Sequence[str], values: Mapping[str, Mapping[Any, str]]) -> Iterator[Any]:
    """A few at a time: as Python objects they take many times their place in the file."""
    count = max(1, CELLS // max(1, len(names)))
    start = 0
    while True:
        cells, _ = read(io.BytesIO(data), output_format="dict", row_offset=start, row_limit=count)
        columns = [_named(cells[name], values.get(name)) for name in names]
        yield from zip(*columns, strict=True)
        if not columns or len(columns[0]) < count:
            return
        start += count


def _named(column: list[Any], values: Mapping[Any, str] | None) -> list[Any]:
    return [values.get(cell, cell) for cell in column] if values else column

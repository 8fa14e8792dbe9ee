"""Columns and rows of a table -> segments of text, tabs between cells, each headed by the column names."""

import datetime
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from core.records import Segment
from extraction.readers.text.decode import decode, wide_encoding

SEGMENT_CHARS = 1 << 18
LONGEST_CELL = 1 << 22
_LINE_ENDS = re.compile(r"[\n\t\r]")
WIDEST_ROW = 100  # columns up to which a row keeps its empty cells at the end
LONGEST_LINE_CELL = 2_000  # a longer text in a cell is a document of its own and keeps its lines


def table_segments(where: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[Segment]:
    """Cut between rows, so that a large table meets the text limit before it fills memory."""
    header = "\t".join(columns)
    lines = [header]
    chars = len(header)
    for row in rows:
        line = "\t".join(one_line(cell_text(value)) for value in row)
        if not line.strip("\t"):
            continue
        if len(columns) > WIDEST_ROW:
            line = line.rstrip("\t")
        lines.append(line)
        chars += len(line) + 1
        if chars >= SEGMENT_CHARS:
            yield Segment(where, "\n".join(lines))
            lines, chars = [header], len(header)
    if len(lines) > 1 or chars:
        yield Segment(where, "\n".join(lines))


def one_line(text: str) -> str:
    """Each row is a line, so a cell has no line ends of its own."""
    if not text.isprintable() and len(text) <= LONGEST_LINE_CELL and _LINE_ENDS.search(text):
        return " ".join(text.split())
    return text


def cell_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value[:LONGEST_CELL]
    if isinstance(value, bytes):
        return _text_of_bytes(value)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, datetime.datetime):
        return value.isoformat(" ").removesuffix(" 00:00:00")
    if isinstance(value, dict):
        return ", ".join(f"{key}: {cell_text(entry)}" for key, entry in value.items() if entry is not None)
    if isinstance(value, list | tuple):
        return ", ".join(cell_text(entry) for entry in value)
    return str(value)


def _text_of_bytes(value: bytes) -> str:
    """Bytes that are text in UTF-8 or UTF-16; any others in a cell are not text."""
    value = value[:LONGEST_CELL]
    try:
        text = value.decode()
    except UnicodeDecodeError:
        text = "\0"
    if "\0" not in text:
        return text
    return decode(value) if wide_encoding(value) else ""

"""Rows of a table -> the same rows without the documents in their cells, which become members."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from extraction.format import Member
from extraction.limits.budget import Budget
from extraction.media_types import TEXT, UNKNOWN
from extraction.readers.ole.other_streams import sentences
from extraction.readers.streams.read_member import embedded_content
from extraction.readers.text.decode import decode
from extraction.readers.text.strings import narrow_runs, wide_runs

SMALLEST = 64  # bytes


class CellDocuments:
    """Of bytes that are neither text nor a known file, the words stay in the cell if some are sentences."""

    def __init__(self, identify: Callable[[bytes], str]) -> None:
        self._identify = identify
        self._waiting: list[bytes] = []

    def without(self, row: Sequence[Any]) -> list[Any]:
        return [self._kept(value) for value in row]

    def members(self, label: str, budget: Budget) -> Iterator[Member]:
        """Those of the rows so far; `label` is that of the table."""
        for number, data in enumerate(self._waiting, 1):
            yield Member(f"{label} blob {number}", partial(embedded_content, data, budget), len(data))
        self._waiting.clear()

    def _kept(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self._kept(entry) for key, entry in value.items()}
        if isinstance(value, list | tuple):
            return [self._kept(entry) for entry in value]
        if not isinstance(value, bytes) or len(value) < SMALLEST:
            return value
        kind = self._identify(value)
        if kind == TEXT:
            return decode(value)
        if kind == UNKNOWN:
            return f"{narrow_runs(value)}\n{wide_runs(value)}" if sentences(value) else ""
        self._waiting.append(value)
        return ""

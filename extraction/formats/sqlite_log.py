"""Write-ahead log or rollback journal beside an SQLite database -> the rows in its pages."""

from collections.abc import Iterator

from core.records import Segment
from extraction.content import Content
from extraction.format import Piece
from extraction.limits.budget import Budget
from extraction.media_types import SQLITE_JOURNAL, SQLITE_LOG
from extraction.readers.sqlite.pages import HEADER, leaf_rows
from extraction.readers.text.strings import narrow_runs
from extraction.readers.text.table import table_segments

MEDIA_TYPES = frozenset({SQLITE_LOG, SQLITE_JOURNAL})
IS_ARCHIVE = False

_LOG_HEADER, _FRAME_HEADER = 32, 24
_SQLITE = b"SQLite format 3\0"


def extract(content: Content, budget: Budget) -> Iterator[Piece]:
    pages = _log_pages(content.data) if content.data.startswith(b"\x37\x7f") else _journal_pages(content.data)
    seen: set[bytes] = set()
    rest: list[str] = []
    for page in pages:
        if page in seen:
            continue
        seen.add(page)
        rows = list(leaf_rows(page, start=HEADER if page.startswith(_SQLITE) else 0))
        if rows:
            yield from table_segments("rows", [], rows)
        else:
            rest.append(narrow_runs(page))
    if any(rest):
        yield Segment("strings", "\n".join(filter(None, rest)))


def _log_pages(data: bytes) -> Iterator[bytes]:
    size = int.from_bytes(data[8:12], "big")
    if size >= 512:
        for start in range(_LOG_HEADER + _FRAME_HEADER, len(data), size + _FRAME_HEADER):
            yield data[start : start + size]


def _journal_pages(data: bytes) -> Iterator[bytes]:
    """Number of the page, the page, its checksum; the header fills a sector."""
    sector, size = (int.from_bytes(data[place : place + 4], "big") for place in (20, 24))
    if size >= 512:
        for start in range(max(sector, 28) + 4, len(data), size + 8):
            yield data[start : start + size]

"""Lotus 1-2-3 sheet -> the rows of each of its sheets."""

from collections.abc import Iterator

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import StoppedError
from extraction.formats.binary import string_segments
from extraction.identify.programs import LOTUS, NAMES
from extraction.limits.budget import Budget
from extraction.readers.excel.rows import SheetRows
from extraction.readers.lotus import cells_and_strings
from extraction.readers.text.table import cell_text

MEDIA_TYPES = frozenset({LOTUS})
IS_ARCHIVE = False


def extract(content: Content, budget: Budget) -> Iterator[Segment]:
    try:
        cells, strings = cells_and_strings(content.data)
    except ValueError:
        yield from string_segments(content.data)
        raise StoppedError(Status.PARTIAL, f"{NAMES[LOTUS]}: only its strings were read") from None
    rows = SheetRows()
    sheet = -1
    for cell in sorted(cells, key=lambda cell: (cell.sheet, cell.row, cell.column)):
        if cell.sheet != sheet:
            sheet = cell.sheet
            yield from rows.start(f"sheet {sheet + 1}")
        rows.add(cell.row, cell.column, cell_text(cell.value))
    yield from rows.flush()
    yield Segment("strings", strings)

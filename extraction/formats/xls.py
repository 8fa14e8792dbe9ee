"""Excel 3 to 2003 workbook -> cells by row, sheet names, notes, drawings, properties; files and pictures as members."""

from collections.abc import Iterator
from itertools import islice

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, StoppedError
from extraction.formats.binary import extract as extract_strings
from extraction.identify.identify import identify
from extraction.limits.budget import Budget
from extraction.readers.excel.biff import FILE_PASSWORD, Workbook, records
from extraction.readers.ole.compound import Compound, DamagedError, is_compound
from extraction.readers.ole.embedded import embedded_objects
from extraction.readers.ole.other_streams import other_streams
from extraction.readers.ole.property_set import summary
from extraction.readers.ole.unlocked import unlocked
from extraction.readers.pictures.blips import office_pictures

MEDIA_TYPES = frozenset({"application/vnd.ms-excel"})
IS_ARCHIVE = False

DEFAULT_PASSWORD = "VelvetSweatshop"  # noqa: S105 - Excel opens write-protected files with it
_FIRST_RECORDS = 40
_DRAWING_GROUP, _CONTINUED = 0x00EB, 0x003C
_PIVOT_CACHES = "_SX_DB_CUR"


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    if not is_compound(content.data):
        yield from _book(content.data, budget)
        return
    try:
        compound = Compound(content, budget)
    except DamagedError:
        yield from extract_strings(content, budget)
        return
    stream = _stream(compound)
    if _is_encrypted(stream):
        opened = unlocked(content, (DEFAULT_PASSWORD, *budget.passwords), budget)
        if opened is None:
            raise StoppedError(Status.ENCRYPTED, "password-protected workbook")
        compound = opened
        stream = _stream(compound)
    yield from summary(compound)
    for path in compound.paths(_PIVOT_CACHES):
        yield from Workbook(compound.read(*path)).segments()
    yield from embedded_objects(compound, budget)
    yield from _book(stream, budget)
    yield from other_streams(compound, budget, identify)
    compound.finish()


def _book(stream: bytes, budget: Budget) -> Iterator[Segment | Member]:
    book = Workbook(stream)
    yield from book.segments()
    yield from office_pictures(_drawings(stream), budget)
    if not book.version:
        raise StoppedError(Status.FAILED, "corrupt (no workbook)")
    if book.damaged:
        raise StoppedError(Status.PARTIAL, "corrupt (broken records)")


def _drawings(stream: bytes) -> bytes:
    """The drawings of all sheets: a record that goes on in those after it."""
    pieces: list[bytes] = []
    is_drawing = False
    for kind, body in records(stream):
        is_drawing = kind == _DRAWING_GROUP or (is_drawing and kind == _CONTINUED)
        if is_drawing:
            pieces.append(body)
    return b"".join(pieces)


def _stream(compound: Compound) -> bytes:
    return compound.read("Workbook") or compound.read("Book")


def _is_encrypted(stream: bytes) -> bool:
    return any(kind == FILE_PASSWORD for kind, _ in islice(records(stream), _FIRST_RECORDS))

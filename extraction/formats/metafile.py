"""Windows metafile, as Office keeps drawings and formulas -> the text that it draws; its bitmaps as members."""

from collections.abc import Iterator

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, StoppedError
from extraction.limits.budget import Budget
from extraction.readers.ole.embedded import file_member
from extraction.readers.pictures.metafile import read_metafile
from extraction.readers.text.decode import clean

MEDIA_TYPES = frozenset({"image/wmf", "image/x-wmf", "image/emf", "image/x-emf"})
IS_ARCHIVE = False

MOST_OUTLINES = 40  # a drawing with more, and no text, may be letters in outlines


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    metafile = read_metafile(content.data)
    if metafile.pieces:
        yield Segment("", clean(metafile.text))
    for number, bitmap in enumerate(metafile.bitmaps, 1):
        yield file_member(f"picture {number}", bitmap, budget)
    is_read = bool(metafile.pieces or metafile.bitmaps)
    if metafile.is_cut:
        raise StoppedError(Status.PARTIAL if is_read else Status.FAILED, "corrupt (truncated)")
    if metafile.outlines > MOST_OUTLINES and not is_read:
        raise StoppedError(Status.UNSUPPORTED, "picture not read (outlines that may be letters)")

"""PDF in which PDFium found no text -> text by pdfminer.six, or by pdf_oxide if that finds none either."""

import io
import re
from collections.abc import Callable, Generator, Iterator
from enum import Enum
from typing import Any

import pdf_oxide

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import StoppedError
from extraction.lazy_import import LazyModule
from extraction.limits.budget import LimitError

MOST_PAGES = 2_000
_FINAL = (LimitError, MemoryError, StoppedError, GeneratorExit, KeyboardInterrupt, SystemExit)
_UNSPELLED = re.compile(r"\(cid:\d+\)")  # what pdfminer writes for a glyph without a known character
_CONVERTER = LazyModule("pdfminer.converter")
_LAYOUT = LazyModule("pdfminer.layout")
_DOCUMENT = LazyModule("pdfminer.pdfdocument")
_INTERPRETER = LazyModule("pdfminer.pdfinterp")
_PAGE = LazyModule("pdfminer.pdfpage")

pdf_oxide.disable_logging()


class AmountRead(Enum):
    NOTHING = 1
    SOME = 2  # then the reader failed
    ALL = 3


def read_by_others(content: Content) -> Generator[Segment, None, AmountRead]:
    """Yields the text of the first reader that finds any."""
    for read in (_by_pdfminer, _by_pdf_oxide):
        amount = yield from _read_until_fault(read, content)
        if amount is not AmountRead.NOTHING:
            return amount
    return AmountRead.NOTHING


def _read_until_fault(
    read: Callable[[Content], Iterator[Segment]], content: Content
) -> Generator[Segment, None, AmountRead]:
    amount = AmountRead.NOTHING
    try:
        for segment in read(content):
            if segment.text.strip():
                amount = AmountRead.ALL
                yield segment
    except _FINAL:
        raise
    except BaseException:  # a Rust panic is not an Exception
        return AmountRead.SOME if amount is AmountRead.ALL else amount
    return amount


def _by_pdfminer(content: Content) -> Iterator[Segment]:
    try:
        for number, page in enumerate(_PAGE.load().PDFPage.get_pages(content.file(), maxpages=MOST_PAGES), 1):
            yield Segment(f"page {number}", _text_of(page))
    except _DOCUMENT.load().PDFPasswordIncorrect:
        raise StoppedError(Status.ENCRYPTED, "password-protected PDF") from None


def _text_of(page: Any) -> str:
    interpreter = _INTERPRETER.load()
    resources = interpreter.PDFResourceManager(caching=False)
    with io.StringIO() as out:
        device = _CONVERTER.load().TextConverter(resources, out, laparams=_LAYOUT.load().LAParams())
        interpreter.PDFPageInterpreter(resources, device).process_page(page)
        return _UNSPELLED.sub("", out.getvalue().rstrip("\f"))


def _by_pdf_oxide(content: Content) -> Iterator[Segment]:
    """It reads from memory only, so it sees just the beginning of a file beyond the read limit."""
    document = pdf_oxide.PdfDocument.from_bytes(content.data)
    for index in range(min(document.page_count(), MOST_PAGES)):
        yield Segment(f"page {index + 1}", document.extract_text(index))

"""PDF that PDFium does not read, or a page of it -> text by pdfminer.six, or by pdf_oxide if that finds none either."""

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
from extraction.readers.pdf.pages import is_unspelled

MOST_PAGES = 2_000
_FINAL = (LimitError, MemoryError, StoppedError, GeneratorExit, KeyboardInterrupt, SystemExit)
_MOST_UNKNOWN = 0.25  # glyphs for each character that is known
_UNSPELLED = re.compile(r"\(cid:\d+\)")  # what pdfminer writes for a glyph without a known character
_CONVERTER = LazyModule("pdfminer.converter")
_LAYOUT = LazyModule("pdfminer.layout")
_DOCUMENT = LazyModule("pdfminer.pdfdocument")
_INTERPRETER = LazyModule("pdfminer.pdfinterp")
_PAGE = LazyModule("pdfminer.pdfpage")

pdf_oxide.disable_logging()


class AmountRead(Enum):
    NOTHING = 1
    SOME = 2  # then the reader failed, or did not know all letters
    ALL = 3


def read_by_others(
    content: Content, page: int | None = None, password: str = ""
) -> Generator[Segment, None, AmountRead]:
    """Yields the text of the first reader that finds any; of one page, if that is asked for."""
    for read in (_by_pdfminer, _by_pdf_oxide):
        amount = yield from _read_until_fault(read, content, page, password)
        if amount is not AmountRead.NOTHING:
            return amount
    return AmountRead.NOTHING


def _read_until_fault(
    read: Callable[[Content, int | None, str], Iterator[Segment]], content: Content, page: int | None, password: str
) -> Generator[Segment, None, AmountRead]:
    amount = AmountRead.NOTHING
    is_all = True
    try:
        for segment in read(content, page, password):
            text, unknown = _UNSPELLED.subn("", segment.text)
            is_all = is_all and unknown <= _MOST_UNKNOWN * len(text) and not is_unspelled(text)
            if text.strip():
                amount = AmountRead.ALL
                yield Segment(segment.where, text)
    except _FINAL:
        raise
    except BaseException:  # a Rust panic is not an Exception
        is_all = False
    return AmountRead.SOME if amount is AmountRead.ALL and not is_all else amount


def _by_pdfminer(content: Content, page: int | None, password: str) -> Iterator[Segment]:
    only = None if page is None else {page}
    pages = _PAGE.load().PDFPage.get_pages(content.file(), only, MOST_PAGES if page is None else 0, password)
    try:
        for number, entry in enumerate(pages, 1 if page is None else page + 1):
            yield Segment(f"page {number}", _text_of(entry))
    except _DOCUMENT.load().PDFPasswordIncorrect:
        raise StoppedError(Status.ENCRYPTED, "password-protected PDF") from None


def _text_of(page: Any) -> str:
    interpreter = _INTERPRETER.load()
    resources = interpreter.PDFResourceManager(caching=False)
    with io.StringIO() as out:
        device = _CONVERTER.load().TextConverter(resources, out, laparams=_LAYOUT.load().LAParams())
        interpreter.PDFPageInterpreter(resources, device).process_page(page)
        return out.getvalue().rstrip("\f")


def _by_pdf_oxide(content: Content, page: int | None, password: str) -> Iterator[Segment]:
    """It reads from memory only, so it sees just the beginning of a file beyond the read limit."""
    document = pdf_oxide.PdfDocument.from_bytes(content.data, password or None)
    for index in range(min(document.page_count(), MOST_PAGES)) if page is None else (page,):
        yield Segment(f"page {index + 1}", document.extract_text(index))

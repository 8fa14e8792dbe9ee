"""PDF that PDFium could not read, or found no letters in -> text by pdfminer.six, and by pdf_oxide where that finds none either."""

import io
from collections.abc import Callable, Iterator

import pdf_oxide
from pdfminer.converter import TextConverter
from pdfminer.layout import LAParams
from pdfminer.pdfdocument import PDFPasswordIncorrect
from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager
from pdfminer.pdfpage import PDFPage

from core.records import Segment, Status
from extraction.budget import LimitError
from extraction.content import Content
from extraction.format import StoppedError

MOST_PAGES = 2_000
_FINAL = (LimitError, MemoryError, StoppedError, GeneratorExit, KeyboardInterrupt, SystemExit)

pdf_oxide.disable_logging()


def second_opinion(content: Content) -> Iterator[Segment]:
    """What the first of the two finds that finds anything; a reader that breaks has just found no more."""
    for read in (_by_pdfminer, _by_pdf_oxide):
        found = False
        for segment in _until_it_breaks(read, content):
            found = True
            yield segment
        if found:
            return


def _until_it_breaks(read: Callable[[Content], Iterator[Segment]], content: Content) -> Iterator[Segment]:
    try:
        yield from (segment for segment in read(content) if segment.text.strip())
    except _FINAL:
        raise
    except BaseException:  # a panic of Rust code is no Exception
        return


def _by_pdfminer(content: Content) -> Iterator[Segment]:
    try:
        for number, page in enumerate(PDFPage.get_pages(content.file(), maxpages=MOST_PAGES), 1):
            yield Segment(f"page {number}", _text_of(page))
    except PDFPasswordIncorrect:
        raise StoppedError(Status.ENCRYPTED, "password-protected PDF") from None


def _text_of(page: PDFPage) -> str:
    resources = PDFResourceManager(caching=False)
    with io.StringIO() as out:
        device = TextConverter(resources, out, laparams=LAParams())
        PDFPageInterpreter(resources, device).process_page(page)
        return out.getvalue().rstrip("\f")


def _by_pdf_oxide(content: Content) -> Iterator[Segment]:
    """It reads from memory alone, so of a file beyond the read limit it sees the beginning."""
    document = pdf_oxide.PdfDocument.from_bytes(content.data)
    for index in range(min(document.page_count(), MOST_PAGES)):
        yield Segment(f"page {index + 1}", document.extract_text(index))

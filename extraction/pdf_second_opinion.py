"""PDF that PDFium could not read, or found no letters in -> text by pdfminer.six."""

import io
from collections.abc import Iterator

from pdfminer.converter import TextConverter
from pdfminer.layout import LAParams
from pdfminer.pdfdocument import PDFPasswordIncorrect
from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager
from pdfminer.pdfpage import PDFPage

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import StoppedError

MOST_PAGES = 2_000


def second_opinion(content: Content) -> Iterator[Segment]:
    try:
        for number, page in enumerate(PDFPage.get_pages(content.file(), maxpages=MOST_PAGES), 1):
            text = _text_of(page)
            if text.strip():
                yield Segment(f"page {number}", text)
    except PDFPasswordIncorrect:
        raise StoppedError(Status.ENCRYPTED, "password-protected PDF") from None


def _text_of(page: PDFPage) -> str:
    resources = PDFResourceManager(caching=False)
    with io.StringIO() as out:
        device = TextConverter(resources, out, laparams=LAParams())
        PDFPageInterpreter(resources, device).process_page(page)
        return out.getvalue().rstrip("\f")

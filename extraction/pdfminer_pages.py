"""PDF -> the text of its pages, by pdfminer.six."""

import io
from collections.abc import Iterator
from typing import BinaryIO

from pdfminer.converter import TextConverter
from pdfminer.layout import LAParams
from pdfminer.pdfdocument import PDFPasswordIncorrect
from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager
from pdfminer.pdfpage import PDFPage

from core.records import Status
from extraction.format import StoppedError


def page_texts(file: BinaryIO, most_pages: int) -> Iterator[str]:
    try:
        for page in PDFPage.get_pages(file, maxpages=most_pages):
            yield _text_of(page)
    except PDFPasswordIncorrect:
        raise StoppedError(Status.ENCRYPTED, "password-protected PDF") from None


def _text_of(page: PDFPage) -> str:
    resources = PDFResourceManager(caching=False)
    with io.StringIO() as out:
        device = TextConverter(resources, out, laparams=LAParams())
        PDFPageInterpreter(resources, device).process_page(page)
        return out.getvalue().rstrip("\f")

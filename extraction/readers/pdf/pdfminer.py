"""PDF -> the text of its pages, by pdfminer.six."""

import io
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from core.records import Status
from extraction.format import StoppedError
from extraction.lazy_import import Late

_UNSPELLED = re.compile(r"\(cid:\d+\)")  # what it writes for glyphs that stand for no known character
_CONVERTER = Late("pdfminer.converter")
_LAYOUT = Late("pdfminer.layout")
_DOCUMENT = Late("pdfminer.pdfdocument")
_INTERPRETER = Late("pdfminer.pdfinterp")
_PAGE = Late("pdfminer.pdfpage")


def page_texts(file: BinaryIO, most_pages: int) -> Iterator[str]:
    try:
        for page in _PAGE.load().PDFPage.get_pages(file, maxpages=most_pages):
            yield _text_of(page)
    except _DOCUMENT.load().PDFPasswordIncorrect:
        raise StoppedError(Status.ENCRYPTED, "password-protected PDF") from None


def _text_of(page: Any) -> str:
    interpreter = _INTERPRETER.load()
    resources = interpreter.PDFResourceManager(caching=False)
    with io.StringIO() as out:
        device = _CONVERTER.load().TextConverter(resources, out, laparams=_LAYOUT.load().LAParams())
        interpreter.PDFPageInterpreter(resources, device).process_page(page)
        return _UNSPELLED.sub("", out.getvalue().rstrip("\f"))

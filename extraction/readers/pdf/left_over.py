"""A PDF whose pages were read -> what is left of it: strings, earlier versions, pages and pictures that nobody sees."""

import re
from collections.abc import Collection, Generator, Iterable, Iterator

import pypdfium2 as pdfium

from core.records import Segment
from extraction.limits.budget import Budget
from extraction.readers.pdf.already_read import AlreadyRead
from extraction.readers.pdf.further_version import version_of
from extraction.readers.pdf.pages import PageKind, page_text, picture_text
from extraction.readers.pdf.unseen import Unseen
from extraction.readers.pictures.letters import segments_of

MOST_VERSIONS = 10
MOST_EARLIER_PAGES = 2_000  # of all versions together
MOST_UNSEEN = 500  # pages, pictures and forms
EARLIER = "earlier version not read"
UNSEEN = "page or picture not read"
_VERSION_END = re.compile(rb"startxref\s{1,20}\d{1,12}\s{1,20}%%EOF\r?\n?")
_HEAD = 1_024


def left_over(
    unseen: Unseen, data: bytes, password: str, shown: Collection[bytes], texts: Iterable[str], budget: Budget
) -> Generator[Segment, None, str]:
    """`shown` are the keys of pictures that pages show, `texts` what was read of them; returns why not all was read.

    `data` is the file as it is; `unseen` knows its objects without encryption.
    """
    already = AlreadyRead(texts)
    for where, text in (("objects", unseen.strings(already)), ("unused streams", unseen.loose_text(already))):
        if text:
            already.add(text)
            yield Segment(where, text)
    fault = yield from _earlier_versions(data, password, already)
    pages, drawings = unseen.loose_pages(), unseen.pictures(() if unseen.has_hidden_layers else shown)
    drawings += unseen.forms(already)
    if pages or drawings:
        pages, rest = pages[:MOST_UNSEEN], drawings[: max(0, MOST_UNSEEN - len(pages))]
        fault = fault or (UNSEEN if len(rest) < len(drawings) else "")
        version = version_of(unseen.data, unseen.first_free, pages, rest)
        fault = (yield from _unseen_pages(version, len(pages) + len(rest), already, budget)) or fault
    return fault or unseen.fault


def _earlier_versions(data: bytes, password: str, already: AlreadyRead) -> Generator[Segment, None, str]:
    """Of the file as it was before it was changed: changes are written behind it."""
    ends = [match.end() for match in _VERSION_END.finditer(data)][:-1]
    if b"/Linearized" in data[:_HEAD]:
        ends = ends[1:]  # the first end is that of its first page
    fault = EARLIER if len(ends) > MOST_VERSIONS else ""
    left = MOST_EARLIER_PAGES
    for number, end in enumerate(ends[-MOST_VERSIONS:], 1):
        try:
            document = pdfium.PdfDocument(data[:end], password=password or None)
        except pdfium.PdfiumError:
            fault = EARLIER
            continue
        try:
            fault = EARLIER if len(document) > left else fault
            lines = [line for line in _lines(document, left) if not already.has(line)]
            left = max(0, left - len(document))
        except pdfium.PdfiumError:
            fault = EARLIER
            continue
        finally:
            document.close()
        if lines:
            text = "\n".join(dict.fromkeys(lines))
            already.add(text)
            yield Segment(f"earlier version {number}", text)
    return fault


def _lines(document: pdfium.PdfDocument, most: int) -> Iterator[str]:
    document.init_forms()
    for index in range(min(len(document), most)):
        yield from page_text(document, index).text.splitlines()


def _unseen_pages(version: bytes, expected: int, already: AlreadyRead, budget: Budget) -> Generator[Segment, None, str]:
    try:
        document = pdfium.PdfDocument(version)
    except pdfium.PdfiumError:
        return UNSEEN
    try:
        fault = "" if len(document) == expected else UNSEEN
        for index in range(min(len(document), expected)):
            where = f"unseen page {index + 1}"
            try:
                page = page_text(document, index)
            except pdfium.PdfiumError:
                fault = UNSEEN
                continue
            text = "\n".join(line for line in page.text.splitlines() if not already.has(line))
            if text:
                yield Segment(where, text)
            if page.kind not in (PageKind.TEXT, PageKind.BLANK):
                reading = picture_text(document, index, budget)
                yield from segments_of(reading, where)
                fault = fault or reading.fault
        return fault
    finally:
        document.close()

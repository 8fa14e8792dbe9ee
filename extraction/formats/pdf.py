"""PDF -> the text of its pages, forms, annotations, bookmarks and properties; its attachments as members."""

from collections.abc import Generator, Iterator
from functools import partial

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, StoppedError, fault_of
from extraction.limits.address_space import limited_to
from extraction.limits.budget import Budget
from extraction.readers.pdf.bombs import refuse_bombs
from extraction.readers.pdf.details import details
from extraction.readers.pdf.fallback import AmountRead, second_opinion
from extraction.readers.pdf.pages import PageKind, page_text, picture_text
from extraction.readers.pdf.salvage import salvaged

MEDIA_TYPES = frozenset({"application/pdf"})
IS_ARCHIVE = False

# PDFium ends the process when memory runs out, so what it may take is bounded by what honest files of such a size were seen to need.
ROOM_BYTES = 400_000_000
ROOM_RATIO = 8
_TAIL = 2_048  # where a whole file says that it ends
_LOCKED = (pdfium_c.FPDF_ERR_PASSWORD, pdfium_c.FPDF_ERR_SECURITY)


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    refuse_bombs(content.data, budget)
    room = ROOM_BYTES + ROOM_RATIO * len(content.data)
    try:
        with limited_to(room):
            document = pdfium.PdfDocument(content.file() if content.descriptor is not None else content.data)
    except pdfium.PdfiumError as error:
        if error.err_code in _LOCKED:
            raise StoppedError(Status.ENCRYPTED, "password-protected PDF") from None
        yield from _second_opinion_or_failure(content, budget, error)
        return
    try:
        with limited_to(room):
            said = False
            for segment in details(document, content):
                said = True
                yield segment
            verdict = yield from _pages(document, content, budget, said)
        yield from _attachments(document, budget)
        if verdict is not None:
            raise verdict
    finally:
        document.close()


def _second_opinion_or_failure(content: Content, budget: Budget, error: Exception) -> Iterator[Segment]:
    outcome = yield from second_opinion(content)
    if outcome is AmountRead.ALL and b"%%EOF" in content.data[-_TAIL:]:
        return
    if outcome is not AmountRead.NOTHING:
        raise StoppedError(Status.PARTIAL, f"{fault_of(error)}, some pages may be missing")
    if b"/Encrypt" in content.data:
        raise StoppedError(Status.ENCRYPTED, "encrypted PDF that no reader opens")
    found = False
    for segment in salvaged(content.data, budget):
        found = True
        yield segment
    if found:
        raise StoppedError(Status.PARTIAL, f"{fault_of(error)}, only streams could be read")
    raise StoppedError(Status.FAILED, fault_of(error))


def _pages(
    document: pdfium.PdfDocument, content: Content, budget: Budget, said: bool
) -> Generator[Segment, None, StoppedError | None]:
    document.init_forms()
    pages: dict[PageKind, list[int]] = {kind: [] for kind in PageKind}
    broken = 0
    for index in range(len(document)):
        try:
            text, kind = page_text(document, index)
        except pdfium.PdfiumError:
            broken += 1
            continue
        pages[kind].append(index)
        if kind is PageKind.TEXT:
            yield Segment(f"page {index + 1}", text)
    found = bool(pages[PageKind.TEXT])
    pictures = pages[PageKind.PICTURES]
    if not found and (pages[PageKind.UNSPELLED] or pages[PageKind.BLANK] or broken):
        outcome = yield from second_opinion(content)
        found = outcome is not AmountRead.NOTHING
        broken = 0 if outcome is AmountRead.ALL else broken
    if not found:
        pictures = sorted(pictures + pages[PageKind.DRAWN] + pages[PageKind.UNSPELLED])
    unread, fault = yield from _letters_in_pictures(document, pictures, budget)
    return _verdict(found or unread < len(pictures), said, unread, fault, broken)


def _letters_in_pictures(
    document: pdfium.PdfDocument, pages: list[int], budget: Budget
) -> Generator[Segment, None, tuple[int, str]]:
    """How many pages of pictures were not read, and why: their text was not examined."""
    for done, index in enumerate(pages):
        reading = picture_text(document, index, budget)
        if reading.text:
            yield Segment(f"page {index + 1}", reading.text)
        if reading.fault:
            return len(pages) - done, reading.fault
    return 0, ""


def _verdict(found: bool, said: bool, unread: int, fault: str, broken: int) -> StoppedError | None:
    """`found`: in the pages; `said`: elsewhere, as in properties and bookmarks, which are screened then."""
    if broken:
        return StoppedError(Status.PARTIAL if found or said else Status.FAILED, f"{broken:,} pages could not be read")
    if unread and not found:
        return StoppedError(
            Status.PARTIAL if said else Status.UNSUPPORTED, f"no text in its pages, only pictures ({fault})"
        )
    return StoppedError(Status.PARTIAL, f"{unread:,} pages hold only pictures ({fault})") if unread else None


def _attachments(document: pdfium.PdfDocument, budget: Budget) -> Iterator[Member]:
    for index in range(document.count_attachments()):
        attachment = document.get_attachment(index)
        yield Member(attachment.get_name(), partial(_open_attachment, attachment, budget))


def _open_attachment(attachment: pdfium.PdfAttachment, budget: Budget) -> Content:
    data = bytes(attachment.get_data())
    budget.expand(len(data))
    limit = budget.limits.member_bytes
    return Content(data[:limit], len(data), attachment.get_name(), budget.member_reason if len(data) > limit else "")

"""PDF -> the text of its pages, forms, annotations, bookmarks, properties and leftovers; its attachments as members."""

from collections.abc import Collection, Generator, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TypeVar, cast

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, StoppedError, fault_of
from extraction.limits.address_space import limited_to
from extraction.limits.budget import Budget
from extraction.ocr.reader import NOT_LEGIBLE
from extraction.readers.pdf.bombs import refuse_bombs
from extraction.readers.pdf.decrypted import NOT_DECRYPTED, decrypted
from extraction.readers.pdf.details import details
from extraction.readers.pdf.fallback import AmountRead, read_by_others
from extraction.readers.pdf.left_over import left_over
from extraction.readers.pdf.pages import PageKind, page_picture, page_text, picture_text
from extraction.readers.pdf.salvage import salvaged
from extraction.readers.pdf.unseen import Unseen, file_digest
from extraction.readers.pictures.drawing import drawn
from extraction.readers.pictures.letters import segments_of
from extraction.readers.streams.read_member import embedded_content

MEDIA_TYPES = frozenset({"application/pdf"})
IS_ARCHIVE = False

# PDFium ends the process when memory runs out, so it gets no more than honest files of that size need.
ROOM_BYTES = 400_000_000
ROOM_RATIO = 8
MOST_SINGLE = 50  # pages that other readers are asked for one by one: each time they open the file anew
_TAIL = 2_048  # a complete file has its end marker here
Ending = TypeVar("Ending")
_LOCKED = (pdfium_c.FPDF_ERR_PASSWORD, pdfium_c.FPDF_ERR_SECURITY)


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    refuse_bombs(content.data, budget)
    room = ROOM_BYTES + ROOM_RATIO * len(content.data)
    try:
        with limited_to(room):
            document, password = _open(content, budget.passwords)
    except pdfium.PdfiumError as error:
        if error.err_code in _LOCKED:
            raise StoppedError(Status.ENCRYPTED, "password-protected PDF") from None
        yield from _fall_back(content, budget, error)
        return
    try:
        with limited_to(room):
            is_whole = content.descriptor is None
            plain = _plain(document, content, password, budget) if is_whole else None
            unseen = Unseen(plain, budget) if plain is not None else None
            shown: set[bytes] | None = set() if unseen and unseen.has_pictures else None
            texts: list[str] = []
            for segment in details(document, content):
                texts.append(segment.text)
                yield segment
            verdict = yield from _noting(_pages(document, content, password, budget, bool(texts), shown), texts)
            fault = NOT_DECRYPTED if is_whole else content.fault
            if unseen:
                texts += document.get_metadata_dict(skip_empty=True).values()
                fault = yield from left_over(unseen, content.data, password, shown or (), texts, budget)
        attached: set[bytes] = set()
        for index in range(document.count_attachments()):
            yield _attachment(document.get_attachment(index), budget, attached)
        if unseen:
            yield from unseen.files(attached)
            fault = fault or unseen.fault
        if fault and verdict is None:
            verdict = StoppedError(Status.PARTIAL, f"{fault}, in what no page shows")
        if verdict is not None:
            raise verdict
    finally:
        document.close()


def draw(content: Content, budget: Budget, page: int) -> Segment:
    """The last page where the file has fewer."""
    refuse_bombs(content.data, budget)
    with limited_to(ROOM_BYTES + ROOM_RATIO * len(content.data)):
        try:
            document, _ = _open(content, budget.passwords)
        except pdfium.PdfiumError as error:
            raise StoppedError(Status.FAILED, fault_of(error)) from None
        try:
            document.init_forms()
            pages = len(document)
            if not pages:
                raise StoppedError(Status.FAILED, "page cannot be drawn")
            number = min(page, pages)
            return drawn(page_picture(document, number - 1), number, pages)
        finally:
            document.close()


def _open(content: Content, passwords: tuple[str, ...]) -> tuple[pdfium.PdfDocument, str]:
    """And the password that opens it."""
    waiting = ["", *passwords]
    while True:
        password = waiting.pop(0)
        try:
            source = content.file() if content.descriptor is not None else content.data
            return pdfium.PdfDocument(source, password=password or None), password
        except pdfium.PdfiumError as error:
            if error.err_code not in _LOCKED or not waiting:
                raise


def _fall_back(content: Content, budget: Budget, error: Exception) -> Iterator[Segment | Member]:
    texts: list[str] = []
    amount = yield from _noting(read_by_others(content), texts)
    if amount is AmountRead.ALL and b"%%EOF" in content.data[-_TAIL:]:
        yield from _beside_pages(content, texts, budget)
        return
    if amount is not AmountRead.NOTHING:
        raise StoppedError(Status.PARTIAL, f"{fault_of(error)}, some pages may be missing")
    if b"/Encrypt" in content.data:
        raise StoppedError(Status.ENCRYPTED, "encrypted PDF that no reader opens")
    has_text = False
    for segment in salvaged(content.data, budget):
        has_text = True
        yield segment
    if has_text:
        raise StoppedError(Status.PARTIAL, f"{fault_of(error)}, only streams could be read")
    raise StoppedError(Status.FAILED, fault_of(error))


def _beside_pages(content: Content, texts: list[str], budget: Budget) -> Iterator[Segment | Member]:
    """Pictures and files of a document whose text another reader gave."""
    if b"/Encrypt" in content.data:
        raise StoppedError(Status.PARTIAL, f"{NOT_DECRYPTED}, in what no page shows")
    unseen = Unseen(content.data, budget)
    fault = yield from left_over(unseen, content.data, "", (), texts, budget)
    yield from unseen.files(())
    fault = content.fault or fault or unseen.fault
    if fault:
        raise StoppedError(Status.PARTIAL, f"{fault}, in what no page shows")


def _pages(
    document: pdfium.PdfDocument,
    content: Content,
    password: str,
    budget: Budget,
    has_details: bool,
    shown: set[bytes] | None,
) -> Generator[Segment, None, StoppedError | None]:
    document.init_forms()
    pages: dict[PageKind, list[int]] = {kind: [] for kind in PageKind}
    beside: dict[bytes, int] = {}  # the first page with each set of pictures and outlines beside text
    broken = 0
    for index in range(len(document)):
        try:
            page = page_text(document, index, shown)
        except pdfium.PdfiumError:
            broken += 1
            continue
        pages[page.kind].append(index)
        if page.drawn:
            beside.setdefault(page.drawn, index)
        if page.text.strip():
            yield Segment(f"page {index + 1}", page.text)
    has_text = bool(pages[PageKind.TEXT])
    dropped = pages[PageKind.DROPPED]
    if has_text:
        dropped = yield from _left_by_others(content, password, dropped)
    unspelled = pages[PageKind.UNSPELLED] + dropped
    if not has_text and (unspelled or pages[PageKind.BLANK] or broken):
        amount = yield from read_by_others(content, password=password)
        has_text = amount is not AmountRead.NOTHING
        if amount is AmountRead.ALL:
            broken, unspelled, dropped = 0, [], []
    pictures = sorted(pages[PageKind.PICTURES] + pages[PageKind.DRAWN] + unspelled)
    whole = yield from _letters_in_pictures(document, pictures, budget, unseen=dropped)
    mixed = yield from _letters_in_pictures(document, list(beside.values()), budget, beside=True)
    return _verdict(has_text or whole.pages < len(pictures), has_details, whole, mixed, broken)


def _left_by_others(content: Content, password: str, pages: list[int]) -> Generator[Segment, None, list[int]]:
    """Those of the pages that no other reader reads whole."""
    left: list[int] = []
    for done, index in enumerate(pages):
        amount = AmountRead.NOTHING if done >= MOST_SINGLE else (yield from read_by_others(content, index, password))
        if amount is not AmountRead.ALL:
            left.append(index)
    return left


@dataclass(frozen=True, slots=True)
class _Unread:
    """How many pages of pictures were not read, and why; on how many letters were read badly, and in which way."""

    pages: int = 0
    fault: str = ""
    badly: int = 0
    shortfall: str = ""


def _letters_in_pictures(
    document: pdfium.PdfDocument,
    pages: list[int],
    budget: Budget,
    *,
    beside: bool = False,
    unseen: Collection[int] = (),
) -> Generator[Segment, None, _Unread]:
    """`unseen`: pages with letters that are not drawn either, since no font has them."""
    badly, shortfall = 0, ""
    for done, index in enumerate(pages):
        reading = picture_text(document, index, budget, beside=beside)
        where = f"page {index + 1}"
        yield from segments_of(reading, f"picture on {where}" if beside else where)
        if not reading.was_read:
            return _Unread(len(pages) - done, reading.fault, badly, shortfall)
        fault = reading.fault or (NOT_LEGIBLE if index in unseen else "")
        if fault:
            badly, shortfall = badly + 1, shortfall or fault
    return _Unread(badly=badly, shortfall=shortfall)


def _verdict(has_text: bool, has_details: bool, whole: _Unread, mixed: _Unread, broken: int) -> StoppedError | None:
    """`has_text`: in the pages; `has_details`: elsewhere, as in properties and bookmarks, which are screened too."""
    if broken:
        return StoppedError(
            Status.PARTIAL if has_text or has_details else Status.FAILED, f"{broken:,} pages could not be read"
        )
    if whole.pages and not has_text:
        reason = f"no text in its pages, only pictures ({whole.fault})"
        return StoppedError(Status.PARTIAL if has_details else Status.UNSUPPORTED, reason)
    if whole.pages:
        return StoppedError(Status.PARTIAL, f"{whole.pages:,} pages hold only pictures ({whole.fault})")
    if mixed.pages:
        return StoppedError(Status.PARTIAL, f"pictures on {mixed.pages:,} pages with text not read ({mixed.fault})")
    badly, shortfall = whole.badly + mixed.badly, whole.shortfall or mixed.shortfall
    return StoppedError(Status.PARTIAL, f"{shortfall} on {badly:,} pages") if badly else None


def _plain(document: pdfium.PdfDocument, content: Content, password: str, budget: Budget) -> bytes | None:
    """The file as it is without encryption, if it can be had."""
    is_encrypted = pdfium_c.FPDF_GetSecurityHandlerRevision(document) >= 0
    return decrypted(content, password, budget) if is_encrypted else content.data


def _attachment(attachment: pdfium.PdfAttachment, budget: Budget, attached: set[bytes]) -> Member:
    name, data = attachment.get_name(), bytes(attachment.get_data())
    attached.add(file_digest(data[: budget.limits.member_bytes]))
    return Member(name, partial(embedded_content, data, budget, name), len(data))


def _noting(pieces: Generator[Segment, None, Ending], texts: list[str]) -> Generator[Segment, None, Ending]:
    """The same pieces; their texts are added to those that were read."""
    while True:
        try:
            piece = next(pieces)
        except StopIteration as end:
            return cast(Ending, end.value)
        texts.append(piece.text)
        yield piece

"""A page of a PDF -> its text, with that of form fields and annotations."""

import ctypes
import re
from dataclasses import dataclass
from enum import Enum

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
from PIL import Image

from core.records import Status
from extraction.format import StoppedError
from extraction.limits.budget import Budget
from extraction.ocr.reader import WORKING_PIXELS, Reading
from extraction.readers.pdf.beside_text import beside_text, bounds_of, objects_of, without_text
from extraction.readers.pdf.shown_pictures import shown_pictures
from extraction.readers.pictures.drawing import LONGEST_SIDE

DOTS_PER_INCH = 200
MOST_PIXELS = 60_000_000  # PDFium decodes a picture as a whole, and ends the process if memory runs out
MOST_ANNOTATIONS = 10_000
_TEXT_KEYS = (b"Contents", b"V")
_UNKNOWN = re.compile("[\ufffd\0\x01\x03-\x08\x0e-\x1f\x7f-\x9f\ue000-\uf8ff]")
_MOST_UNKNOWN = 0.2  # of the characters of a page
_LOOKED_AT = 100  # pieces of text of a page
_NO_EXTENT = 0.01  # points
_MANY_PIECES, _PIECES_A_CHARACTER = 100, 8  # more than what is printed several times over to look bold


class PageKind(Enum):
    """What a page contains, which decides how it is read next."""

    TEXT = 1
    PICTURES = 2  # and no text at all: a scan
    DRAWN = 3  # only lines and areas
    UNSPELLED = 4  # text of which PDFium knows no characters, or few
    BLANK = 5
    DROPPED = 6  # text of which PDFium leaves out pieces


@dataclass(frozen=True, slots=True, repr=False)
class PageText:
    text: str
    kind: PageKind
    drawn: bytes = b""  # a hash of pictures and outlines beside the text, if they may hold letters


def page_text(document: pdfium.PdfDocument, index: int, shown: set[bytes] | None = None) -> PageText:
    """Adds the keys of the pictures that the page shows, if somebody wants to know."""
    page = document[index]
    try:
        annotations = _annotation_texts(page)
        if annotations is not None:
            pdfium_c.FPDFPage_Flatten(page, pdfium_c.FLAT_NORMALDISPLAY)
            # Flattening takes effect only when the page is loaded again.
            page.close()
            page = document[index]
        if shown is not None:
            shown |= shown_pictures(page)
        textpage = page.get_textpage()
        try:
            text = textpage.get_text_range(errors="replace")
        finally:
            textpage.close()
        text = text.replace("\r\n", "\n").replace("\x02", "-").replace("\ufffe", "-")
        unseen = [entry for entry in annotations or () if entry.strip() and entry.strip() not in text]
        whole_text = "\n".join([text, *unseen])
        if not whole_text.strip():
            return PageText(whole_text, _kind(page))
        if _is_dropped(page, text):
            return PageText(whole_text, PageKind.DROPPED)
        if is_unspelled(text):
            return PageText(whole_text, PageKind.UNSPELLED)
        return PageText(whole_text, PageKind.TEXT, beside_text(page))
    finally:
        page.close()


def is_unspelled(text: str) -> bool:
    """Whether many glyphs of a page have no known character, though some have."""
    return len(_UNKNOWN.findall(text)) > _MOST_UNKNOWN * len(text)


def _is_dropped(page: pdfium.PdfPage, text: str) -> bool:
    """Whether text has no width, as vertical writing in a font that is not in the file: PDFium leaves it out.

    A letter alone has no height either, as an empty piece: then a page has many more pieces than characters.
    """
    pieces = [entry for kind, entry in objects_of(page) if kind == pdfium_c.FPDF_PAGEOBJ_TEXT]
    if len(pieces) > max(_MANY_PIECES, _PIECES_A_CHARACTER * len(text)):
        return True
    every = -(-len(pieces) // _LOOKED_AT) or 1
    extents = (bounds_of(piece) for piece in pieces[::every])
    return any(right - left < _NO_EXTENT < top - bottom for left, bottom, right, top in extents)


def picture_text(document: pdfium.PdfDocument, index: int, budget: Budget, *, beside: bool = False) -> Reading:
    """The text of a page that consists of pictures, drawn as a person would see it; or only that beside its text."""
    if budget.pictures.fault:
        return Reading("", budget.pictures.fault)
    page = document[index]
    try:
        if _pixels(page) > MOST_PIXELS:
            return Reading("", f"picture size limit ({MOST_PIXELS:,} pixels a page)")
        points = max(1.0, page.get_width() * page.get_height())
        scale = min(DOTS_PER_INCH / 72, (WORKING_PIXELS / points) ** 0.5)
        with budget.pictures.timed():
            drawn = page.render(scale=scale, grayscale=True).to_pil()
            drawn = without_text(drawn, page) if beside else drawn
        return budget.pictures.read(drawn)
    except (pdfium.PdfiumError, ValueError):
        return Reading("", "page cannot be drawn")
    finally:
        page.close()


def page_picture(document: pdfium.PdfDocument, index: int) -> Image.Image:
    """As a person would see it, not larger than needed to read it."""
    page = document[index]
    try:
        if _pixels(page) > MOST_PIXELS:
            raise StoppedError(Status.PARTIAL, f"picture size limit ({MOST_PIXELS:,} pixels a page)")
        longest = max(1.0, page.get_width(), page.get_height())
        bitmap = page.render(scale=min(DOTS_PER_INCH / 72, LONGEST_SIDE / longest), grayscale=True)
        picture: Image.Image = bitmap.to_pil()
        return picture
    except (pdfium.PdfiumError, ValueError):
        raise StoppedError(Status.FAILED, "page cannot be drawn") from None
    finally:
        page.close()


def _annotation_texts(page: pdfium.PdfPage) -> list[str] | None:
    """Notes and field values; None if the page has no annotation at all."""
    count = min(pdfium_c.FPDFPage_GetAnnotCount(page), MOST_ANNOTATIONS)
    if count <= 0:
        return None
    texts: list[str] = []
    for index in range(count):
        annotation = pdfium_c.FPDFPage_GetAnnot(page, index)
        if annotation:
            texts.extend(_string_value(annotation, key) for key in _TEXT_KEYS)
            pdfium_c.FPDFPage_CloseAnnot(annotation)
    return texts


def _string_value(annotation: object, key: bytes) -> str:
    length = pdfium_c.FPDFAnnot_GetStringValue(annotation, key, None, 0)
    if length <= 2:
        return ""
    buffer = ctypes.create_string_buffer(length)
    pdfium_c.FPDFAnnot_GetStringValue(annotation, key, ctypes.cast(buffer, ctypes.POINTER(pdfium_c.FPDF_WCHAR)), length)
    return buffer.raw[: length - 2].decode("utf-16-le", "replace")


def _pixels(page: pdfium.PdfPage) -> int:
    pictures = page.get_objects(filter=[pdfium_c.FPDF_PAGEOBJ_IMAGE], max_depth=3)
    sizes = (picture.get_px_size() for picture in pictures)
    return sum(width * height for width, height in sizes)


def _kind(page: pdfium.PdfPage) -> PageKind:
    kinds = {entry.type for entry in page.get_objects(max_depth=3)}
    if pdfium_c.FPDF_PAGEOBJ_TEXT in kinds and _is_dropped(page, ""):
        return PageKind.DROPPED
    if pdfium_c.FPDF_PAGEOBJ_TEXT in kinds:
        return PageKind.UNSPELLED
    if pdfium_c.FPDF_PAGEOBJ_IMAGE in kinds:
        return PageKind.PICTURES
    return PageKind.DRAWN if kinds else PageKind.BLANK

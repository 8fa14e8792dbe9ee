"""A page of a PDF -> its text, with what form fields and annotations show and say."""

import ctypes

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from extraction.budget import Budget
from extraction.ocr import WORKING_PIXELS, Reading

DOTS_PER_INCH = 200
MOST_ANNOTATIONS = 10_000
_SPEAKING_KEYS = (b"Contents", b"V")


def page_text(document: pdfium.PdfDocument, index: int) -> tuple[str, bool]:
    """The text, and whether the page shows a picture."""
    page = document[index]
    try:
        said = _annotation_texts(page)
        if said is not None:
            pdfium_c.FPDFPage_Flatten(page, pdfium_c.FLAT_NORMALDISPLAY)
            # What was flattened is seen only by a page that is loaded anew.
            page.close()
            page = document[index]
        textpage = page.get_textpage()
        try:
            text = textpage.get_text_range(errors="replace")
        finally:
            textpage.close()
        text = text.replace("\r\n", "\n").replace("\x02", "-").replace("\ufffe", "-")
        unseen = [entry for entry in said or () if entry.strip() and entry.strip() not in text]
        has_picture = not text.strip() and _has_picture(page)
        return "\n".join([text, *unseen]), has_picture
    finally:
        page.close()


def picture_text(document: pdfium.PdfDocument, index: int, budget: Budget) -> Reading:
    """The letters on a page that is one or several pictures, seen as a person would see it."""
    if budget.ocr.missing:
        return Reading("", budget.ocr.missing)
    page = document[index]
    try:
        points = max(1.0, page.get_width() * page.get_height())
        scale = min(DOTS_PER_INCH / 72, (WORKING_PIXELS / points) ** 0.5)
        return budget.read_picture(page.render(scale=scale, grayscale=True).to_pil())
    except (pdfium.PdfiumError, ValueError):
        return Reading("", "page cannot be drawn")
    finally:
        page.close()


def _annotation_texts(page: pdfium.PdfPage) -> list[str] | None:
    """Notes and field values; None where the page has no annotation at all."""
    count = min(pdfium_c.FPDFPage_GetAnnotCount(page), MOST_ANNOTATIONS)
    if count <= 0:
        return None
    texts: list[str] = []
    for index in range(count):
        annotation = pdfium_c.FPDFPage_GetAnnot(page, index)
        if annotation:
            texts.extend(_string_value(annotation, key) for key in _SPEAKING_KEYS)
            pdfium_c.FPDFPage_CloseAnnot(annotation)
    return texts


def _string_value(annotation: object, key: bytes) -> str:
    length = pdfium_c.FPDFAnnot_GetStringValue(annotation, key, None, 0)
    if length <= 2:
        return ""
    buffer = ctypes.create_string_buffer(length)
    pdfium_c.FPDFAnnot_GetStringValue(annotation, key, ctypes.cast(buffer, ctypes.POINTER(pdfium_c.FPDF_WCHAR)), length)
    return buffer.raw[: length - 2].decode("utf-16-le", "replace")


def _has_picture(page: pdfium.PdfPage) -> bool:
    return any(entry.type == pdfium_c.FPDF_PAGEOBJ_IMAGE for entry in page.get_objects(max_depth=3))

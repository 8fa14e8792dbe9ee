"""A page of a PDF with text -> what else is drawn on it that may hold letters: pictures and outlines."""

import ctypes
import hashlib
from collections.abc import Iterator
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
from PIL import Image, ImageDraw

MOST_OBJECTS = 20_000
DEPTH = 3  # forms within forms
LEAST_PIXELS = 600
LEAST_WIDTH, LEAST_HEIGHT = 20.0, 6.0  # points at which a picture is shown
LEAST_SEGMENTS = 150  # of all outlines together: some ten letters; rules and frames have fewer
LARGEST_TEXT = 60.0  # points: larger text, perhaps unseen, hides no picture
LONGEST_DATA = 20_000_000


def beside_text(page: pdfium.PdfPage) -> bytes:
    """A hash of the pictures and outlines, so that those of a letterhead are read once; empty if there are none."""
    digest = hashlib.sha256()
    segments = pictures = 0
    for kind, entry in objects_of(page):
        if kind == pdfium_c.FPDF_PAGEOBJ_PATH:
            count = pdfium_c.FPDFPath_CountSegments(entry)
            segments += count
            digest.update(f"{count} {_rounded(bounds_of(entry))}".encode())
        elif kind == pdfium_c.FPDF_PAGEOBJ_IMAGE and _may_hold_letters(entry):
            pictures += 1
            digest.update(data_of(entry))
        elif kind == pdfium_c.FPDF_PAGEOBJ_SHADING:
            digest.update(b"shading")
    return digest.digest() if pictures or segments >= LEAST_SEGMENTS else b""


def objects_of(page: pdfium.PdfPage) -> Iterator[tuple[int, Any]]:
    waiting: list[tuple[Any, int, Any, Any]] = [
        (page.raw, 0, pdfium_c.FPDFPage_CountObjects, pdfium_c.FPDFPage_GetObject)
    ]
    left = MOST_OBJECTS
    while waiting:
        holder, depth, count, get = waiting.pop()
        for index in range(min(count(holder), left)):
            entry = get(holder, index)
            kind = pdfium_c.FPDFPageObj_GetType(entry)
            left -= 1
            if kind == pdfium_c.FPDF_PAGEOBJ_FORM and depth < DEPTH:
                waiting.append((entry, depth + 1, pdfium_c.FPDFFormObj_CountObjects, pdfium_c.FPDFFormObj_GetObject))
            yield kind, entry


def bounds_of(entry: Any) -> tuple[float, float, float, float]:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    if not pdfium_c.FPDFPageObj_GetBounds(entry, left, bottom, right, top):
        return 0.0, 0.0, 0.0, 0.0
    return left.value, bottom.value, right.value, top.value


def _rounded(bounds: tuple[float, ...]) -> list[float]:
    return [round(value, 1) for value in bounds]


def _may_hold_letters(picture: Any) -> bool:
    width, height = ctypes.c_uint(), ctypes.c_uint()
    pdfium_c.FPDFImageObj_GetImagePixelSize(picture, width, height)
    left, bottom, right, top = bounds_of(picture)
    # Within a form the bounds are those of the form's own space, which may be scaled to anything.
    is_shown = (right - left >= LEAST_WIDTH and top - bottom >= LEAST_HEIGHT) or right - left <= 1.01
    return is_shown and width.value * height.value >= LEAST_PIXELS


def data_of(picture: Any) -> bytes:
    length = pdfium_c.FPDFImageObj_GetImageDataRaw(picture, None, 0)
    if not 0 < length <= LONGEST_DATA:
        return str(length).encode()
    buffer = ctypes.create_string_buffer(length)
    pdfium_c.FPDFImageObj_GetImageDataRaw(picture, buffer, length)
    return buffer.raw


def without_text(drawn: Image.Image, page: pdfium.PdfPage) -> Image.Image:
    """The page as drawn, with its text covered in the colour around it: that was read already."""
    textpage = page.get_textpage()
    try:
        pen = ImageDraw.Draw(drawn)
        for index in range(textpage.count_rects()):
            left, bottom, right, top = textpage.get_rect(index)
            if abs(top - bottom) > LARGEST_TEXT:
                continue
            corners = [_device(page, drawn.size, x, y) for x, y in ((left, bottom), (right, top))]
            (x0, x1), (y0, y1) = (sorted(values) for values in zip(*corners, strict=True))
            x0, y0 = max(0, x0 - 2), max(0, y0 - 2)
            if x0 < min(x1, drawn.width) and y0 < min(y1, drawn.height):
                pen.rectangle((x0, y0, x1 + 2, y1 + 2), fill=drawn.getpixel((x0, y0)))
    finally:
        textpage.close()
    return drawn


def _device(page: pdfium.PdfPage, size: tuple[int, int], x: float, y: float) -> tuple[int, int]:
    across, down = ctypes.c_int(), ctypes.c_int()
    pdfium_c.FPDF_PageToDevice(page, 0, 0, *size, 0, x, y, across, down)
    return across.value, down.value

"""A page of a PDF -> the pictures of which it shows all: not hidden by its edge or by an area drawn over them."""

import ctypes
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from extraction.readers.pdf.beside_text import (
    LEAST_HEIGHT,
    LEAST_WIDTH,
    MOST_OBJECTS,
    bounds_of,
    data_of,
    objects_of,
)
from extraction.readers.pdf.unseen import picture_key

Bounds = tuple[float, float, float, float]
MOST_COMPARED = 200_000  # pairs of a picture and an area; pictures beyond count as hidden
_SIMPLE = 6  # segments of a rectangle
_INSIDE = 0.9  # share of a picture
_OPAQUE = 255


def shown_pictures(page: pdfium.PdfPage) -> set[bytes]:
    """Their keys; those within forms count as shown."""
    hidden = _hidden(page)
    return {
        picture_key(data_of(entry))
        for kind, entry in objects_of(page)
        if kind == pdfium_c.FPDF_PAGEOBJ_IMAGE and _address(entry) not in hidden
    }


def _hidden(page: pdfium.PdfPage) -> set[int]:
    """The addresses of pictures; areas that come later are drawn over them."""
    edge = page.get_cropbox()
    areas: list[Bounds] = []
    hidden: set[int] = set()
    left = MOST_COMPARED
    for index in reversed(range(min(pdfium_c.FPDFPage_CountObjects(page), MOST_OBJECTS))):
        entry = pdfium_c.FPDFPage_GetObject(page, index)
        kind = pdfium_c.FPDFPageObj_GetType(entry)
        if kind == pdfium_c.FPDF_PAGEOBJ_PATH and _is_area(entry):
            areas.append(bounds_of(entry))
        elif kind == pdfium_c.FPDF_PAGEOBJ_IMAGE:
            picture = bounds_of(entry)
            left -= len(areas)
            is_cut = _area(_overlap(picture, edge)) < _INSIDE * _area(picture)
            if is_cut or left < 0 or any(_may_hide_letters(_overlap(area, picture)) for area in areas):
                hidden.add(_address(entry))
    return hidden


def _address(entry: Any) -> int:
    return ctypes.addressof(entry.contents)


def _is_area(path: Any) -> bool:
    if pdfium_c.FPDFPath_CountSegments(path) > _SIMPLE:
        return False
    filled, stroked = ctypes.c_int(), ctypes.c_int()
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    pdfium_c.FPDFPath_GetDrawMode(path, filled, stroked)
    pdfium_c.FPDFPageObj_GetFillColor(path, red, green, blue, alpha)
    return bool(filled.value) and alpha.value == _OPAQUE and _may_hide_letters(bounds_of(path))


def _may_hide_letters(bounds: Bounds) -> bool:
    return bounds[2] - bounds[0] >= LEAST_WIDTH and bounds[3] - bounds[1] >= LEAST_HEIGHT


def _overlap(one: Bounds, other: Bounds) -> Bounds:
    left, bottom = max(one[0], other[0]), max(one[1], other[1])
    return left, bottom, max(left, min(one[2], other[2])), max(bottom, min(one[3], other[3]))


def _area(bounds: Bounds) -> float:
    return (bounds[2] - bounds[0]) * (bounds[3] - bounds[1])

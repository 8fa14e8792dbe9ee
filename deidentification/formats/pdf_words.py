"""Page of a PDF <-> words with their boxes in pixels: read from its text layer, and written into one."""

import ctypes
from typing import Any

from deidentification.formats.words_in_pictures import Box, Word

_LEAST_SIZE = 4.0  # points


def words_of(page: Any, size: tuple[int, int]) -> list[Word]:
    """Also of text that is not to be seen: whoever selects all of it would find it."""
    layer = page.get_textpage()
    words: list[Word] = []
    text, boxes, line = "", list[Box](), 0
    for at in range(layer.count_chars()):
        character = layer.get_text_range(at, 1)
        if character.strip():
            text += character
            boxes.append(_in_pixels(page, layer.get_charbox(at, loose=True), size))
            continue
        if text:
            words.append(Word(text, ("layer", str(line)), _around(boxes)))
            text, boxes = "", []
        line += character.count("\n")
    if text:
        words.append(Word(text, ("layer", str(line)), _around(boxes)))
    layer.close()
    return words


def add_word(document: Any, page: Any, text: str, box: Box, height: int, scale: float) -> None:
    """Invisible, where the word is, so that the copy can be searched; letters beyond Latin-1 have no font here."""
    import pypdfium2.raw as raw

    shown = text.encode("latin-1", "ignore").decode("latin-1")
    if not shown.strip():
        return
    left, top, _, bottom = box
    handle = raw.FPDFPageObj_NewTextObj(document.raw, b"Helvetica", max(_LEAST_SIZE, (bottom - top) / scale))
    encoded = f"{shown} ".encode("utf-16-le") + b"\0\0"
    buffer = ctypes.create_string_buffer(encoded, len(encoded))
    raw.FPDFText_SetText(handle, ctypes.cast(buffer, raw.FPDF_WIDESTRING))
    raw.FPDFTextObj_SetTextRenderMode(handle, raw.FPDF_TEXTRENDERMODE_INVISIBLE)
    raw.FPDFPageObj_Transform(handle, 1, 0, 0, 1, left / scale, (height - bottom) / scale)
    raw.FPDFPage_InsertObject(page.raw, handle)


def _in_pixels(page: Any, box: tuple[float, float, float, float], size: tuple[int, int]) -> Box:
    import pypdfium2.raw as raw

    left, bottom, right, top = box
    corners = []
    for x, y in ((left, top), (right, bottom)):
        across, down = ctypes.c_int(), ctypes.c_int()
        raw.FPDF_PageToDevice(page.raw, 0, 0, *size, 0, x, y, ctypes.byref(across), ctypes.byref(down))
        corners.append((across.value, down.value))
    xs, ys = zip(*corners, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _around(boxes: list[Box]) -> Box:
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )

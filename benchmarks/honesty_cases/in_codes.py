"""The letter in two-dimensional codes: alone, among text, turned, in documents."""

import io
from collections.abc import Iterator

import docx
import numpy
import zxingcpp
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from benchmarks.honesty_cases.case import HARMLESS, LETTER, Case
from benchmarks.honesty_cases.letter_picture import harmless_picture, packed

_KINDS = ("QRCode", "DataMatrix", "PDF417", "Aztec")


def in_codes() -> Iterator[Case]:
    for kind in _KINDS:
        code = _code(kind, LETTER)
        yield Case(f"{kind}.png", packed(code))
        yield Case(f"{kind} upside down.jpg", packed(code.rotate(180), "JPEG", quality=75))
        yield Case(f"{kind} on a page.png", packed(_on_page(code)))
        yield Case(f"{kind}.pdf", _pdf(code))
        yield Case(f"{kind}.docx", _docx(code))
    yield Case("skewed QRCode.png", packed(_code("QRCode", LETTER).rotate(25, expand=True, fillcolor=255)))
    yield Case("harmless.png", packed(_code("QRCode", HARMLESS)), leaks=False)
    yield Case("harmless.docx", _docx(_code("DataMatrix", HARMLESS)), leaks=False)


def _code(kind: str, text: str) -> Image.Image:
    code = zxingcpp.create_barcode(text, zxingcpp.barcode_format_from_str(kind))
    drawn = Image.fromarray(numpy.asarray(code.to_image(scale=4)))
    framed = Image.new("L", (drawn.width + 120, drawn.height + 120), 255)
    framed.paste(drawn, (60, 60))
    return framed


def _on_page(code: Image.Image) -> Image.Image:
    words = harmless_picture()
    page = Image.new("L", (max(words.width, code.width), words.height + code.height), 255)
    page.paste(words, (0, 0))
    page.paste(code, (0, words.height))
    return page


def _pdf(code: Image.Image) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out)
    canvas.drawString(72, 760, "Label of a sample")
    canvas.drawImage(ImageReader(code), 72, 300, 300, 300 * code.height / code.width)
    canvas.save()
    return out.getvalue()


def _docx(code: Image.Image) -> bytes:
    document = docx.Document()
    document.add_paragraph("Label of a sample")
    document.add_picture(io.BytesIO(packed(code)))
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()

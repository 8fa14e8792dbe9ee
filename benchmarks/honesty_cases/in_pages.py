"""Pages of PDF files that show the letter beside a little text, or in outlines instead of text."""

import io
from collections.abc import Callable, Iterator

from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from benchmarks.honesty_cases.case import HARMLESS_LINES, LINES, Case
from benchmarks.honesty_cases.letter_picture import harmless_picture, picture

Drawing = Callable[[Canvas], None]
_WIDTH = 480.0


def in_pages() -> Iterator[Case]:
    letter = picture()
    drawings: dict[str, Drawing] = {
        "page number": lambda canvas: _place(canvas, letter),
        "in a form": lambda canvas: _in_form(canvas, letter),
        "inline": lambda canvas: _inline(canvas, letter),
        "turned picture": lambda canvas: _place(canvas, letter.rotate(90, expand=True), 300),
        "skewed picture": lambda canvas: _place(canvas, letter.rotate(9, expand=True, fillcolor=255)),
        "in pieces": lambda canvas: _in_pieces(canvas, letter),
        "outlines": lambda canvas: _outlines(canvas, letter),
        "half under text": lambda canvas: _half_under_text(canvas, letter),
        "over much text": lambda canvas: _with_much_text(canvas, letter),
    }
    for name, draw in drawings.items():
        yield Case(f"{name}.pdf", _pdf([draw]))
    yield Case("upside down page.pdf", _pdf([lambda canvas: _place(canvas, letter)], turn=180))
    yield Case("sideways page.pdf", _pdf([lambda canvas: _place(canvas, letter)], turn=90))
    yield Case("second page drawn.pdf", _pdf([_nothing, lambda canvas: _outlines(canvas, letter)], number_all=False))
    yield Case("scan behind text page.pdf", _pdf([_nothing, lambda canvas: _place(canvas, letter)], number_all=False))
    for name, draw in _harmless().items():
        yield Case(f"{name}.pdf", _pdf([draw, draw]), leaks=False)


def _harmless() -> dict[str, Drawing]:
    return {
        "harmless picture": lambda canvas: _place(canvas, harmless_picture()),
        "gradient": lambda canvas: _place(canvas, Image.radial_gradient("L").resize((600, 400))),
        "frames": _frames,
        "nothing else": _nothing,
    }


def _pdf(drawings: list[Drawing], *, turn: int = 0, number_all: bool = True) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out)
    for number, draw in enumerate(drawings, 1):
        canvas.setPageRotation(turn)
        if number_all or number == 1:
            canvas.drawString(280, 30, f"Page {number}")
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _nothing(canvas: Canvas) -> None:
    """The number of the page is all there is."""


def _place(canvas: Canvas, drawn: Image.Image, width: float = _WIDTH, bottom: float = 300) -> None:
    canvas.drawImage(ImageReader(drawn), 50, bottom, width, width * drawn.height / drawn.width)


def _in_form(canvas: Canvas, drawn: Image.Image) -> None:
    canvas.beginForm("letter")
    _place(canvas, drawn)
    canvas.endForm()
    canvas.doForm("letter")


def _inline(canvas: Canvas, drawn: Image.Image) -> None:
    canvas.drawInlineImage(drawn.convert("RGB"), 50, 300, _WIDTH, _WIDTH * drawn.height / drawn.width)


def _in_pieces(canvas: Canvas, drawn: Image.Image) -> None:
    """As scanners cut a page into strips."""
    height = drawn.height // 4
    scale = _WIDTH / drawn.width
    for number in range(4):
        strip = drawn.crop((0, number * height, drawn.width, (number + 1) * height))
        canvas.drawImage(ImageReader(strip), 50, 700 - (number + 1) * height * scale, _WIDTH, height * scale)


def _outlines(canvas: Canvas, drawn: Image.Image) -> None:
    """Every run of ink as a filled box: text that was turned into paths."""
    ink = drawn.point([255 if level < 128 else 0 for level in range(256)])
    path = canvas.beginPath()
    scale = _WIDTH / drawn.width
    for row in range(drawn.height):
        start = None
        for column, level in enumerate([*ink.crop((0, row, ink.width, row + 1)).tobytes(), 0]):
            if level and start is None:
                start = column
            elif not level and start is not None:
                path.rect(50 + start * scale, 700 - row * scale, (column - start) * scale, scale)
                start = None
    canvas.drawPath(path, fill=1, stroke=0)


def _half_under_text(canvas: Canvas, drawn: Image.Image) -> None:
    """A scan whose unseen layer of text holds the first line alone."""
    _place(canvas, drawn)
    text = canvas.beginText(80, 300 + _WIDTH * drawn.height / drawn.width - 45)
    text.setTextRenderMode(3)
    text.textLine(LINES[0])
    canvas.drawText(text)


def _with_much_text(canvas: Canvas, drawn: Image.Image) -> None:
    _place(canvas, drawn)
    for number in range(12):
        canvas.drawString(60, 50 + 18 * number, HARMLESS_LINES[number % len(HARMLESS_LINES)])


def _frames(canvas: Canvas) -> None:
    """A table of typed text in coloured cells."""
    for row in range(12):
        for column in range(4):
            canvas.setFillGray(0.8 if row % 2 else 1.0)
            canvas.rect(60 + 120 * column, 200 + 30 * row, 120, 30, fill=1)
            canvas.setFillGray(0.0)
            canvas.drawString(66 + 120 * column, 210 + 30 * row, f"row {row} of {column}")

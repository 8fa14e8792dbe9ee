"""The letter in plain sight, and files that hide nothing: what the other groups are compared with."""

import io
from collections.abc import Iterator

from docx import Document
from reportlab.pdfgen.canvas import Canvas

from benchmarks.honesty_cases.case import HARMLESS, LETTER, LINES, Case


def plain() -> Iterator[Case]:
    yield Case("letter.txt", LETTER.encode())
    yield Case("letter.docx", _docx(LETTER))
    yield Case("letter.pdf", _pdf(LINES))
    yield Case("harmless.txt", HARMLESS.encode(), leaks=False)
    yield Case("harmless.docx", _docx(HARMLESS), leaks=False)
    yield Case("harmless.pdf", _pdf(tuple(HARMLESS.splitlines())), leaks=False)


def _docx(text: str) -> bytes:
    document = Document()
    for line in text.splitlines():
        document.add_paragraph(line)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def _pdf(lines: tuple[str, ...]) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out)
    for number, line in enumerate(lines):
        canvas.drawString(72, 760 - 18 * number, line)
    canvas.save()
    return out.getvalue()

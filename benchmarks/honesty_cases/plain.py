"""The letter in plain sight, and files that hide nothing: what the other groups are compared with."""

import io
from collections.abc import Iterator

from docx import Document

from benchmarks.honesty_cases.case import HARMLESS, HARMLESS_LINES, LETTER, LINES, Case
from benchmarks.honesty_cases.typed_page import pdf


def plain() -> Iterator[Case]:
    yield Case("letter.txt", LETTER.encode())
    yield Case("letter.docx", _docx(LETTER))
    yield Case("letter.pdf", pdf(LINES))
    yield Case("harmless.txt", HARMLESS.encode(), leaks=False)
    yield Case("harmless.docx", _docx(HARMLESS), leaks=False)
    yield Case("harmless.pdf", pdf(HARMLESS_LINES), leaks=False)


def _docx(text: str) -> bytes:
    document = Document()
    for line in text.splitlines():
        document.add_paragraph(line)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()

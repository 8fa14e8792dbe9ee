"""The letter behind the end of a picture, a PDF or an archive."""

import base64
import io
import zipfile
from collections.abc import Iterator

from PIL import Image

from benchmarks.honesty_cases.case import HARMLESS_LINES, LETTER, LINES, Case
from benchmarks.honesty_cases.typed_page import pdf


def appended() -> Iterator[Case]:
    pictures = {name: picture(name) for name in ("jpeg", "png", "gif", "webp")}
    for name, data in pictures.items():
        yield Case(f"text-behind.{name}", data + LETTER.encode())
        yield Case(f"zip-behind.{name}", data + zipped(LETTER))
        yield Case(f"padded.{name}", data + bytes(40), leaks=False)
    yield Case("base64-behind.jpeg", pictures["jpeg"] + b"\n" + base64.encodebytes(LETTER.encode()))
    yield Case("text-behind.pdf", pdf(HARMLESS_LINES) + LETTER.encode())
    yield Case("zip-behind.pdf", pdf(HARMLESS_LINES) + zipped(LETTER))
    yield Case("pdf-behind.pdf", pdf(HARMLESS_LINES) + pdf(LINES))
    yield Case("stored-pdf-behind.pdf", pdf(HARMLESS_LINES) + zipped(pdf(LINES), zipfile.ZIP_STORED))
    yield Case("newline-behind.pdf", pdf(HARMLESS_LINES) + b"\r\n", leaks=False)
    yield Case("text-behind.zip", zipped("nothing here") + b"\n" + LETTER.encode())
    yield Case("comment.zip", zipped("nothing here", comment=LETTER.encode()))
    yield Case("no-comment.zip", zipped("nothing here"), leaks=False)


def picture(kind: str) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (300, 200), "white").save(out, kind.upper())
    return out.getvalue()


def zipped(content: str | bytes, method: int = zipfile.ZIP_DEFLATED, comment: bytes = b"") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        archive.writestr("note.txt" if isinstance(content, str) else "note.pdf", content)
        archive.comment = comment
    return out.getvalue()

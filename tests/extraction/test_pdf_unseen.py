"""What no page of a PDF shows is read, or the file is said to be read in part; ordinary files stay complete."""

import io
import re
from collections.abc import Callable

import pytest
from PIL import Image
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from benchmarks.honesty_cases.case import Case
from benchmarks.honesty_cases.unseen_in_pdf import drawn, unseen_in_pdf
from core.records import Document, Status
from core.settings import LimitSettings, OcrSettings
from extraction.sandbox import Sandbox
from tests.extraction.test_pdf import WORDS, page_with, pdf, stream

Examine = Callable[..., list[Document]]
CASES = {case.name: case for case in unseen_in_pdf()}
UNREAD = {
    "changed often.pdf": "earlier version not read, in what no page shows",
    "unused stream of an old filter.pdf": "stream cannot be unpacked, in what no page shows",
    "broken object stream.pdf": "object stream cannot be unpacked, in what no page shows",
}


def with_objects(objects: bytes) -> bytes:
    """A page, and further objects that are in no table."""
    before, table, after = pdf("Needle words").rpartition(b"xref\n0 ")
    place = b"%d" % (len(before + objects) + 1)
    return before + objects + b"\n" + table + re.sub(rb"\d+(?=\s+%%EOF)", place, after)


@pytest.mark.parametrize("case", [case for case in CASES.values() if case.leaks], ids=lambda case: case.name)
def test_what_no_page_shows_is_read_or_said_to_be_unread(examined: Examine, case: Case) -> None:
    documents = examined(case.data, case.name)
    reason = UNREAD.get(case.name, "")
    assert (documents[-1].status, documents[-1].reason) == (Status.PARTIAL if reason else Status.COMPLETE, reason)
    assert any("Margaret Thompson" in document.text for document in documents) is not bool(reason)


@pytest.mark.parametrize("case", [case for case in CASES.values() if not case.leaks], ids=lambda case: case.name)
def test_what_pages_show_is_read_once(examined: Examine, case: Case) -> None:
    (document,) = examined(case.data, case.name)
    assert document.status is Status.COMPLETE
    assert document.text.count("spring fair") == 1
    assert not any(segment.where.startswith(("unseen", "earlier", "unused")) for segment in document.segments)


def test_a_picture_that_no_page_shows_and_nobody_reads_is_said(examined: Examine) -> None:
    with Sandbox(LimitSettings(file_seconds=20), ocr=OcrSettings(enabled="off")) as blind:
        (document,) = examined(CASES["unused picture.pdf"].data, within=blind)
    assert (document.status, document.reason) == (Status.PARTIAL, "OCR is off, in what no page shows")


def test_a_file_beyond_the_read_limit_says_what_was_not_looked_for(examined: Examine) -> None:
    data = with_objects(b"90 0 obj " + stream(b"filler " * 900_000) + b" endobj")
    with Sandbox(LimitSettings(file_seconds=20, read_bytes=2_000_000)) as small:
        (document,) = examined(data, within=small)
    assert (document.status, document.reason) == (Status.PARTIAL, "read limit (2,000,000 bytes), in what no page shows")
    assert "Needle words" in document.text


def test_an_encrypted_file_that_opens_is_read(examined: Examine) -> None:
    out = io.BytesIO()
    canvas = Canvas(out, encrypt=StandardEncryption("", ownerPassword="owner", canPrint=0))
    canvas.drawString(72, 720, "Needle words")
    canvas.save()
    (document,) = examined(out.getvalue())
    assert (document.status, document.text.splitlines()[-1]) == (Status.COMPLETE, "Needle words")


def test_an_attachment_is_one_member(examined: Examine) -> None:
    files = b"/Names<</EmbeddedFiles<</Names[(a) 6 0 R]>>>>"
    name = b"<</Type/Filespec/F(a.txt)/UF(a.txt)/EF<</F 7 0 R/UF 7 0 R>>>>"
    attached, document = examined(page_with(WORDS, files, name, stream(b"Attached words", b"/Type/EmbeddedFile")))
    assert (attached.text, document.status) == ("Attached words", Status.COMPLETE)


HOSTILE = {
    "objects that never end": b"7 0 obj " * 1_000_000,
    "open strings": b"7 0 obj <<" + b"(a" * 400_000 + b">> endobj\n",
    "nested strings": b"7 0 obj <<" + b"((a)" * 200_000 + b">> endobj\n",
    "references": b"7 0 obj [" + b"7 0 R " * 150_000 + b"] endobj\n" + b"8 0 obj <</Type/Page>> endobj\n" * 20_000,
    "objects that overlap": b"7 0 obj "
    + stream(b"8 0 9 900000 " * 20_000 + b"a" * 1_000_000, b"/Type/ObjStm/N 40000/First 260000")
    + b" endobj\n",
    "long numbers": b"1" * 3_000_000 + b" obj ",
}


@pytest.mark.parametrize("objects", HOSTILE.values(), ids=HOSTILE)
def test_hostile_objects_cost_little(examined: Examine, objects: bytes) -> None:
    document = examined(with_objects(objects))[-1]
    assert "Needle words" in document.text
    assert "time" not in document.reason


def test_many_boxes_over_many_pictures_cost_little(examined: Examine) -> None:
    picture = ImageReader(Image.new("L", (60, 60)))

    def boxes(canvas: Canvas) -> None:
        for _ in range(2_000):
            canvas.drawImage(picture, 50, 50, 30, 30)
        for _ in range(2_000):
            canvas.rect(500, 50, 30, 30, fill=1)

    (document,) = examined(drawn(boxes))
    assert document.status is Status.COMPLETE

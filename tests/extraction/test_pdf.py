import base64
import io
import re
import zlib
from collections.abc import Callable

import pypdfium2 as pdfium
import pytest
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from core.records import Document, Status

Examine = Callable[..., list[Document]]


def pdf(*pages: str) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, pageCompression=0)
    for number, text in enumerate(pages):
        canvas.drawString(72, 720, text)
        canvas.bookmarkPage(str(number))
        canvas.addOutlineEntry(f"Chapter of {text}", str(number))
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def objects(*bodies: bytes) -> bytes:
    """A PDF of the given objects, the first of which is its catalogue."""
    out = bytearray(b"%PDF-1.5\n")
    places = []
    for number, body in enumerate(bodies, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF"
    return bytes(out) + end % (len(bodies) + 1, table, len(bodies) + 1, len(out))


def stream(data: bytes, entries: bytes = b"") -> bytes:
    return b"<</Length %d%s>>\nstream\n%s\nendstream" % (len(data), entries, data)


def page_with(content: bytes, catalogue: bytes = b"", *more: bytes) -> bytes:
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>"
    pages = b"<</Type/Pages/Count 1/Kids[3 0 R]>>"
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
    return objects(b"<</Type/Catalog/Pages 2 0 R%s>>" % catalogue, pages, page, content, font, *more)


WORDS = stream(b"BT /F1 12 Tf 72 720 Td (Words on a page) Tj ET")


def test_bookmarks_are_read(examined: Examine) -> None:
    (document,) = examined(pdf("one", "two"))
    by_place = {segment.where: segment.text for segment in document.segments}
    assert by_place["bookmarks"] == "Chapter of one\nChapter of two"


def test_properties_of_an_xmp_packet_are_read(examined: Examine) -> None:
    packet = b"""<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"
         dc:title="A packed title" xmpMM:DocumentID="uuid:12345678-1234-1234-1234-123456789012">
        <dc:creator><rdf:Seq><rdf:li>Olga Author</rdf:li></rdf:Seq></dc:creator></rdf:Description>
        </rdf:RDF></x:xmpmeta>"""
    data = page_with(WORDS, b"/Metadata 6 0 R", stream(packet, b"/Type/Metadata/Subtype/XML"))
    (document,) = examined(data)
    by_place = {segment.where: segment.text for segment in document.segments}
    assert by_place["properties"].splitlines() == ["A packed title", "Olga Author"]
    assert document.status is Status.COMPLETE


def test_the_data_of_xfa_forms_is_read(examined: Examine) -> None:
    form = b"/AcroForm<</Fields[]/XFA[(datasets) 6 0 R]>>"
    datasets = (
        b"<xfa:datasets xmlns:xfa='http://www.xfa.org/schema/xfa-data/1.0/'><patient>"
        b"<name>Ann Example</name></patient></xfa:datasets>"
    )
    (document,) = examined(page_with(WORDS, form, stream(datasets)))
    by_place = {segment.where: segment.text for segment in document.segments}
    assert by_place["form data 1"] == "Ann Example"


def test_attachments_are_members(examined: Examine) -> None:
    outer = pdfium.PdfDocument(pdf("Outer words"))
    outer.new_attachment("list.txt").set_data(b"Attached words")
    outer.new_attachment("inner.pdf").set_data(pdf("Inner words"))
    out = io.BytesIO()
    outer.save(out)
    inner, listed, document = examined(out.getvalue(), "outer.pdf")
    assert (listed.uri, listed.text) == (f"{document.uri}!list.txt", "Attached words")
    assert "Inner words" in inner.text
    assert document.status is Status.COMPLETE


BROKEN = [
    ("no table and no trailer", lambda data: re.sub(rb"\nxref\n.*", b"\n%%EOF", data, flags=re.S)),
    ("a root that is not there", lambda data: re.sub(rb"/Root \d+ 0 R", b"/Root 99 0 R", data)),
    ("a page tree that is not there", lambda data: re.sub(rb"/Pages \d+ 0 R", b"/Pages 99 0 R", data)),
    ("pages that are not there", lambda data: re.sub(rb"/Kids \[[^\]]*\]", b"/Kids [ 99 0 R ]", data)),
    ("objects that do not end", lambda data: data.replace(b"endobj", b"")),
]


@pytest.mark.parametrize(("damage"), [entry[1] for entry in BROKEN], ids=[entry[0] for entry in BROKEN])
def test_damaged_files_are_read_by_another_reader(examined: Examine, damage: Callable[[bytes], bytes]) -> None:
    (document,) = examined(damage(pdf("Needle words")))
    assert (document.status, document.media_type) == (Status.COMPLETE, "application/pdf")
    assert "Needle words" in document.text


@pytest.mark.parametrize("compressed", [0, 1])
def test_a_file_that_was_cut_off_is_read_as_far_as_it_goes(examined: Examine, compressed: int) -> None:
    out = io.BytesIO()
    canvas = Canvas(out, pageCompression=compressed)
    for number in range(30):
        canvas.drawString(72, 720, f"Needle words {number}.")
        canvas.showPage()
    canvas.save()
    whole = out.getvalue()
    (document,) = examined(whole[: len(whole) * 3 // 4])
    assert (document.status, document.reason) == (Status.PARTIAL, "corrupt (PdfiumError), some pages may be missing")
    assert "Needle words 3." in document.text


@pytest.mark.parametrize("filters", [b"", b"/Filter/FlateDecode"])
def test_streams_without_pages_still_show_their_letters(examined: Examine, filters: bytes) -> None:
    page = rb"BT /F1 12 Tf 72 720 Td [(Nee) 20 (dle) -300 (words)] TJ 0 -14 Td (Zo\353 \(again\)) Tj ET"
    unmapped = b"BT (\x01\x02\x03\x04\x05) Tj ET"
    bodies = [stream(zlib.compress(data) if filters else data, filters) for data in (page, unmapped)]
    data = b"%PDF-1.5\n" + b"".join(b"%d 0 obj\n%s\nendobj\n" % (number, body) for number, body in enumerate(bodies, 1))
    (document,) = examined(data)
    assert (document.status, document.reason) == (Status.PARTIAL, "corrupt (PdfiumError), only streams could be read")
    assert {segment.where: segment.text for segment in document.segments} == {"stream 1": "Needle words\nZoë (again)"}


def test_an_unknown_encryption_is_not_called_corrupt(examined: Examine) -> None:
    data = pdf("secret").replace(b"/Info ", b"/Encrypt << /Filter /Unheard.Of /V 9 >> /Info ")
    (document,) = examined(data)
    assert document.status is Status.ENCRYPTED
    assert document.chars == 0


def packed(unit: bytes, times: int) -> bytes:
    """One block of a megabyte that is said many times: quick to make, large to unpack."""
    packer = zlib.compressobj(9)
    start = packer.compress(unit * (1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    again = packer.compress(unit * (1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    return start + again * (times - 1) + packer.flush()


SPACES = packed(b" ", 300)
BOMBS = [
    page_with(stream(SPACES, b"/Filter/FlateDecode")),
    page_with(stream(zlib.compress(SPACES, 9), b"/Filter[/FlateDecode/FlateDecode]")),
    page_with(stream(zlib.compress(zlib.compress(SPACES, 9), 9), b"/Filter[/FlateDecode/FlateDecode/FlateDecode]")),
]


@pytest.mark.parametrize("bomb", BOMBS, ids=["once", "twice", "three times"])
def test_a_stream_that_would_expand_beyond_reason_is_not_expanded(examined: Examine, bomb: bytes) -> None:
    (document,) = examined(bomb)
    assert document.status is Status.PARTIAL
    assert document.reason.startswith("stream size limit (")


def test_a_bomb_behind_another_filter_ends_its_parser_and_not_the_scan(examined: Examine) -> None:
    hidden = base64.a85encode(zlib.compress(packed(b" ", 2_000), 9)) + b"~>"
    (document,) = examined(page_with(stream(hidden, b"/Filter[/ASCII85Decode/FlateDecode/FlateDecode]")))
    assert document.status is Status.FAILED
    (after,) = examined(pdf("still here"))
    assert "still here" in after.text


def test_a_large_picture_of_one_colour_is_no_bomb(examined: Examine) -> None:
    picture = stream(
        packed(b"\xff", 20), b"/Filter/FlateDecode/Type/XObject/Subtype/Image/Width 4096/Height 5120/BitsPerComponent 8"
    )
    (document,) = examined(page_with(WORDS, b"", picture))
    assert (document.status, "Words on a page" in document.text) == (Status.COMPLETE, True)


def vertical(*, front_page: bool = False, together: int = 50) -> tuple[bytes, list[str]]:
    """Letters of a font that is not in the file, as in many Japanese PDF files."""
    font = UnicodeCIDFont("HeiseiMin-W3", isVertical=True)
    pdfmetrics.registerFont(font)
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(600, 800))
    if front_page:
        canvas.drawString(80, 700, "This page is written from left to right.")
        canvas.showPage()
    canvas.drawString(280, 20, "Page 1")
    canvas.setFont(font.fontName, 12)
    letters = [chr(code) for code in range(0x4E00, 0x5400) if chr(code).encode("shift_jis", "ignore")][:300]
    for first in range(0, len(letters), together):
        across, down = 560 - first // 50 * 20, 760 - first % 50 * 14
        canvas.drawString(across, down, "".join(letters[first : first + together]))
    canvas.save()
    return out.getvalue(), letters


@pytest.mark.parametrize("together", [1, 50])
@pytest.mark.parametrize("front_page", [False, True])
def test_a_page_of_which_pdfium_gives_only_the_footer_is_read_by_others(
    examined: Examine, front_page: bool, together: int
) -> None:
    """The page was complete, as `Page 1`."""
    data, letters = vertical(front_page=front_page, together=together)
    (document,) = examined(data)
    assert document.status is Status.COMPLETE
    assert len(set(letters) & set(document.text)) >= 290
    assert "Page 1" in document.text


@pytest.mark.parametrize("front_page", [False, True])
def test_vertical_letters_that_no_reader_knows_are_said(examined: Examine, front_page: bool) -> None:
    data, letters = vertical(front_page=front_page)
    (document,) = examined(data.replace(b"(Japan1)", b"(Nobody)"))
    assert (document.status, document.reason) == (Status.PARTIAL, "letters not legible on 1 pages")
    assert not set(letters) & set(document.text)


def test_files_and_pictures_in_damaged_files_are_read(examined: Examine) -> None:
    files = b"/Names<</EmbeddedFiles<</Names[(a) 6 0 R]>>>>"
    name = b"<</Type/Filespec/F(a.txt)/UF(a.txt)/EF<</F 7 0 R/UF 7 0 R>>>>"
    whole = page_with(WORDS, files, name, stream(b"Attached words", b"/Type/EmbeddedFile"))
    attached, document = examined(re.sub(rb"\nxref\n.*", b"\n%%EOF", whole, flags=re.S))
    assert (attached.text.strip(), document.status) == ("Attached words", Status.COMPLETE)

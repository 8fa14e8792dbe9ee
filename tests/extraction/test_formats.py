import io
import zipfile
from collections.abc import Callable
from datetime import date, datetime
from email.message import EmailMessage
from typing import Any

import docx
import openpyxl
import pptx
import pytest
from openpyxl.comments import Comment
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from core.records import Document, Status

Examine = Callable[..., list[Document]]


def saved(document: Any) -> bytes:
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def with_part(package: bytes, name: str, data: str) -> bytes:
    out = io.BytesIO(package)
    with zipfile.ZipFile(out, "a") as archive:
        archive.writestr(name, data)
    return out.getvalue()


def word_document() -> bytes:
    document = docx.Document()
    document.add_paragraph("Body of the letter")
    table = document.add_table(1, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "left cell", "right cell"
    document.sections[0].header.paragraphs[0].text = "Header words"
    document.sections[0].footer.paragraphs[0].text = "Footer words"
    document.add_comment(document.paragraphs[0].runs, text="Comment words", author="Carol Commenter")
    document.core_properties.author = "Olga Author"
    data = saved(document)
    space = (
        'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
        'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    )
    box = "<w:p><w:r><w:t>{}</w:t></w:r></w:p>"
    notes = f"<w:footnotes {space}><mc:AlternateContent><mc:Choice>{box.format('Boxed note')}</mc:Choice>"
    return with_part(
        data,
        "word/footnotes.xml",
        notes + f"<mc:Fallback>{box.format('Boxed note')}</mc:Fallback></mc:AlternateContent></w:footnotes>",
    )


def test_a_word_document_is_read_in_all_its_parts(examined: Examine) -> None:
    (document,) = examined(word_document(), "letter.docx")
    assert document.status is Status.COMPLETE
    assert document.media_type.endswith("wordprocessingml.document")
    for words in (
        "Body of the letter",
        "left cell",
        "right cell",
        "Header words",
        "Footer words",
        "Comment words",
        "Olga Author",
    ):
        assert words in document.text
    assert document.text.count("Boxed note") == 1
    assert {"body", "header 1", "footer 1", "footnotes", "properties"} <= {
        segment.where for segment in document.segments
    }


def test_a_spreadsheet_gives_cells_dates_names_and_comments(examined: Examine) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Ward seven"
    sheet.append(["Ann Example", 42, 4165550123, date(1970, 3, 12), datetime(2024, 5, 6, 7, 8), True])
    sheet["A2"] = "=1+1"
    sheet["B2"].comment = Comment("Remark on a cell", "Carol")
    book.create_sheet("Second")["Z9"] = "far away"
    (document,) = examined(saved(book), "book.xlsx")
    assert document.status is Status.COMPLETE
    for words in (
        "Ward seven",
        "Ann Example\t42\t4165550123\t1970-03-12\t2024-05-06 07:08",
        "Remark on a cell",
        "far away",
        "Second",
    ):
        assert words in document.text
    assert not any("Ward" in segment.where for segment in document.segments)


def test_a_spreadsheet_with_inline_strings(examined: Examine) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        cells = (
            '<c t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c><c>'
            '<v>4.165550123E9</v></c><c t="s"><v>99</v></c>'
        )
        archive.writestr(
            "xl/worksheets/sheet1.xml", f"<worksheet><sheetData><row>{cells}</row></sheetData></worksheet>"
        )
    (document,) = examined(out.getvalue())
    assert (document.status, document.text) == (Status.COMPLETE, "inline\t4165550123")


def test_a_presentation_gives_slides_and_notes(examined: Examine) -> None:
    show = pptx.Presentation()
    slide = show.slides.add_slide(show.slide_layouts[5])
    slide.shapes.title.text = "Title words"
    slide.shapes.add_textbox(0, 0, 100, 100).text_frame.text = "Box words"
    slide.notes_slide.notes_text_frame.text = "Speaker words"
    (document,) = examined(saved(show), "show.pptx")
    assert document.status is Status.COMPLETE
    by_place = {segment.where: segment.text for segment in document.segments}
    assert "Title words" in by_place["slide 1"]
    assert "Box words" in by_place["slide 1"]
    assert "Speaker words" in by_place["notes 1"]


def test_a_document_within_a_document_is_a_member(examined: Examine) -> None:
    inner = docx.Document()
    inner.add_paragraph("Hidden inside")
    out = io.BytesIO(word_document())
    with zipfile.ZipFile(out, "a") as archive:
        archive.writestr("word/embeddings/inner.docx", saved(inner))
    member, document = examined(out.getvalue(), "outer.docx")
    assert member.uri == f"{document.uri}!word/embeddings/inner.docx"
    assert member.container_uri == document.uri
    assert "Hidden inside" in member.text
    assert document.status is Status.COMPLETE


def pdf(*pages: str, encrypt: StandardEncryption | None = None, form: bool = False, note: str = "") -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, encrypt=encrypt)
    canvas.setAuthor("Olga Author")
    for text in pages:
        canvas.drawString(72, 720, text)
        if form:
            canvas.acroForm.textfield(name="patient", value="Filled in by hand", x=72, y=600, width=300, height=20)
        if note:
            canvas.textAnnotation(note, Rect=[72, 500, 100, 520])
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def test_a_pdf_gives_pages_form_fields_notes_and_properties(examined: Examine) -> None:
    (document,) = examined(pdf("First page", "Second page", form=True, note="Sticky note"), "form.pdf")
    assert (document.status, document.media_type) == (Status.COMPLETE, "application/pdf")
    by_place = {segment.where: segment.text for segment in document.segments}
    assert "First page" in by_place["page 1"]
    assert "Second page" in by_place["page 2"]
    assert "Filled in by hand" in by_place["page 1"]
    assert "Sticky note" in by_place["page 2"]
    assert "Olga Author" in by_place["properties"]


def test_pdfs_under_a_password_are_told_apart(examined: Examine) -> None:
    (closed,) = examined(pdf("secret", encrypt=StandardEncryption("pass", strength=128)))
    (opened,) = examined(pdf("readable", encrypt=StandardEncryption("", ownerPassword="owner", strength=128)))
    assert (closed.status, closed.reason, closed.chars) == (Status.ENCRYPTED, "password-protected PDF", 0)
    assert opened.status is Status.COMPLETE
    assert "readable" in opened.text


def test_a_corrupt_pdf_fails(examined: Examine) -> None:
    (document,) = examined(b"%PDF-1.7\nno objects here")
    assert document.status is Status.FAILED
    assert document.reason.startswith("corrupt (")


def test_mail_gives_headers_and_bodies_and_its_attachments_are_members(examined: Examine) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Cc"] = "Zoë <zoe@example.org>", "bob@example.org", "carol@example.org"
    mail["Subject"], mail["Date"], mail["Message-ID"] = (
        "Résultats",
        "Mon, 01 Jan 2024 10:00:00 +0000",
        "<1@example.org>",
    )
    mail.set_content("Plain body\n", charset="iso-8859-1")
    mail.add_alternative("<p>Body in <b>HTML</b></p>", subtype="html")
    mail.add_attachment(word_document(), maintype="application", subtype="octet-stream", filename="lettre é.docx")
    inner = EmailMessage()
    inner["From"], inner["Subject"], inner["MIME-Version"] = "dave@example.org", "Forwarded", "1.0"
    inner.set_content("Inner body")
    mail.add_attachment(inner)
    word, forwarded, document = examined(mail.as_bytes(), "mail.eml")
    assert (document.status, document.media_type) == (Status.COMPLETE, "message/rfc822")
    for words in (
        "Zoë <zoe@example.org>",
        "bob@example.org",
        "carol@example.org",
        "Résultats",
        "01 Jan 2024",
        "Plain body",
        "Body in HTML",
    ):
        assert words in document.text
    assert word.uri == f"{document.uri}!lettre é.docx"
    assert "Body of the letter" in word.text
    assert forwarded.container_uri == document.uri
    assert "Inner body" in forwarded.text
    assert forwarded.media_type == "message/rfc822"


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        (
            (
                b"<html><head><title>T</title><style>x{}</style></head><body><p>one</p>"
                b"<p>two<script>no()</script></body></html>"
            ),
            "T\none\ntwo",
        ),
        (b"<html><table><tr><td>a</td><td>b</td></tr></table></html>", "a\tb"),
        ("<html><meta charset=windows-1250><p>Šťastný</p></html>".encode("cp1250"), "Šťastný"),
        (b"<html><p>a&eacute;&#x41;</p></html>", "aéA"),
        (b'<html><input value="typed in"><img alt="described"></html>', "typed in described"),
        (b'<html><a href="mailto:ann@example.org">write</a></html>', "ann@example.org write"),
    ],
)
def test_html(examined: Examine, markup: bytes, text: str) -> None:
    (document,) = examined(markup)
    assert (document.status, document.media_type, document.text) == (Status.COMPLETE, "text/html", text)


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (b"  two\r\nlines \r\n\n", "text/plain"),
        (b'{"a": "b"}\n', "application/json"),
        (b"a,b\r\n1,2\r\n", "text/csv"),
        (b"", "inode/x-empty"),
    ],
)
def test_text_keeps_every_character(examined: Examine, data: bytes, media_type: str) -> None:
    (document,) = examined(data)
    assert (document.status, document.media_type, document.text, document.size) == (
        Status.COMPLETE,
        media_type,
        data.decode(),
        len(data),
    )


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"fLaC\0\0\0\x22" + bytes(60), "sound and film are not examined"),
        (bytes((n * 37 + 11) % 256 for n in range(2048)), "no text in an unknown binary type"),
    ],
)
def test_types_without_text_are_unsupported(examined: Examine, data: bytes, reason: str) -> None:
    (document,) = examined(data)
    assert (document.status, document.reason) == (Status.UNSUPPORTED, reason)


def test_text_of_a_type_without_extractor_is_read_as_it_is_and_said_to_be_partial(examined: Examine) -> None:
    (document,) = examined(b"%!PS-Adobe-3.0\n(Ann Example) show\n")
    assert (document.status, document.reason) == (
        Status.PARTIAL,
        "read as plain text: no text extractor for application/postscript",
    )
    assert "Ann Example" in document.text

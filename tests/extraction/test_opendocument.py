"""OpenDocument and EPUB packages built by hand -> what an office suite would never write."""

import io
import zipfile
from collections.abc import Callable

import pytest

from core.records import Document, Status
from extraction.readers.opendocument import OpenDocumentText
from extraction.readers.xml.parse import feed
from extraction.sandbox import Sandbox

Examine = Callable[..., list[Document]]
SPREADSHEET = "application/vnd.oasis.opendocument.spreadsheet"
TEXT = "application/vnd.oasis.opendocument.text"
NAMES = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'
)


def package(media_type: str, parts: dict[str, str], *, says_type: bool = True) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        if says_type:
            archive.writestr(zipfile.ZipInfo("mimetype"), media_type)
        for name, text in parts.items():
            archive.writestr(name, text)
    return out.getvalue()


def content(kind: str, inner: str) -> str:
    return (
        f"<office:document-content {NAMES}><office:body><office:{kind}>{inner}</office:{kind}>"
        "</office:body></office:document-content>"
    )


def test_repeated_cells_are_said_once(examined: Examine) -> None:
    cell = (
        '<table:table-cell table:number-columns-repeated="16384" office:value-type="string">'
        "<text:p>Ann</text:p></table:table-cell>"
    )
    rows = (
        '<table:table table:name="Sheet one">'
        f'<table:table-row table:number-rows-repeated="1048576">{cell}</table:table-row></table:table>'
    )
    (document,) = examined(package(SPREADSHEET, {"content.xml": content("spreadsheet", rows)}))
    assert [(segment.where, segment.text) for segment in document.segments] == [
        ("sheet names", "Sheet one"),
        ("sheet 1", "Ann"),
    ]


def test_digits_that_a_format_hides_are_read() -> None:
    cells = (
        '<table:table-cell office:value-type="float" office:value="4165550123">'
        "<text:p>4.17E+09</text:p></table:table-cell>"
        '<table:table-cell office:value-type="float" office:value="1234567">'
        "<text:p>1,234,567</text:p></table:table-cell>"
        '<table:table-cell office:value-type="string" office:string-value="unseen"/>'
        '<table:table-cell office:value-type="date" office:date-value="1970-03-12">'
        "<text:p>Thursday</text:p></table:table-cell>"
    )
    target = OpenDocumentText("sheet")
    inner = f"<table:table><table:table-row>{cells}</table:table-row></table:table>"
    assert [segment.text for segment in feed(content("spreadsheet", inner).encode(), target)] == [
        "4.17E+09 4165550123\t1,234,567\tunseen\tThursday 1970-03-12"
    ]


def test_values_stay_below_their_headings() -> None:
    def cell(text: str) -> str:
        return f"<table:table-cell><text:p>{text}</text:p></table:table-cell>" if text else "<table:table-cell/>"

    empty = '<table:table-cell table:number-columns-repeated="16000"/>'
    rows = [
        cell("Name") + cell("Born") + cell("Drug") + empty,
        cell("Ann") + cell("") + cell("insulin"),
        cell("Bob") + cell("1950") + empty,
        "<table:covered-table-cell/>" + cell("1960"),
        empty,
        cell("Carl") + empty + cell("far away"),
    ]
    inner = "<table:table>" + "".join(f"<table:table-row>{row}</table:table-row>" for row in rows) + "</table:table>"
    segments = list(feed(content("spreadsheet", inner).encode(), OpenDocumentText("sheet")))
    assert segments[-1].text.splitlines() == [
        "Name\tBorn\tDrug",
        "Ann\t\tinsulin",
        "Bob\t1950\t",
        "\t1960\t",
        "Carl\tfar away\t",
    ]


def test_many_spaces_stay_few(examined: Examine) -> None:
    (document,) = examined(
        package(TEXT, {"content.xml": content("text", '<text:p>a<text:s text:c="99999"/>b</text:p>')})
    )
    assert document.text == f"a{' ' * 100}b"


def test_a_package_that_does_not_say_its_type(examined: Examine) -> None:
    parts = {"content.xml": content("text", "<text:p>Unsaid</text:p>"), "META-INF/manifest.xml": "<manifest/>"}
    (document,) = examined(package(TEXT, parts, says_type=False))
    assert (document.media_type, document.text) == (TEXT, "Unsaid")


def test_a_password_shows_in_the_manifest(examined: Examine) -> None:
    manifest = (
        "<manifest:manifest xmlns:manifest='m'><manifest:file-entry>"
        "<manifest:encryption-data/></manifest:file-entry></manifest:manifest>"
    )
    (document,) = examined(package(TEXT, {"content.xml": "\x01\x02", "META-INF/manifest.xml": manifest}))
    assert (document.status, document.text) == (Status.ENCRYPTED, "")


def test_a_broken_part_keeps_what_stands_before_the_fault(examined: Examine) -> None:
    broken = content("text", "<text:p>before</text:p><text:p>cut")[:-60]
    (document,) = examined(
        package(
            TEXT, {"content.xml": broken, "meta.xml": content("meta", "<dc:creator xmlns:dc='d'>Olga</dc:creator>")}
        )
    )
    assert (document.status, document.reason) == (Status.PARTIAL, "corrupt (XMLSyntaxError)")
    assert "before" in document.text
    assert "Olga" in document.text


def test_entities_are_not_expanded(examined: Examine) -> None:
    entities = "".join(f'<!ENTITY e{number} "{f"&e{number - 1};" * 10 if number else "boom"}">' for number in range(12))
    bomb = f"<!DOCTYPE x [{entities}]>{content('text', '<text:p>start &e11; end</text:p>')}"
    (document,) = examined(package(TEXT, {"content.xml": bomb}))
    assert "boom" not in document.text
    assert "start" in document.text


def test_embedded_objects(examined: Examine) -> None:
    parts = {
        "content.xml": content("text", "<text:p>outer</text:p>"),
        "Object 1/content.xml": content("text", "<text:p>inner</text:p>"),
    }
    member, document = examined(package(TEXT, {**parts, "Object 2": "a wrapped file"}))
    assert {segment.where: segment.text for segment in document.segments} == {"body": "outer", "object 1 body": "inner"}
    assert member.text == "a wrapped file"


def test_deep_nesting_ends_as_partial(examined: Examine) -> None:
    deep = content("text", f"<text:p>first</text:p>{'<text:span>' * 5000}")
    (document,) = examined(package(TEXT, {"content.xml": deep}))
    assert (document.status, document.text) == (Status.PARTIAL, "first")


def test_the_text_limit_holds(examined: Examine, small_sandbox: Sandbox) -> None:
    much = content("text", f"<text:p>{'words and words ' * 60}</text:p>" * 900)
    (document,) = examined(
        package(TEXT, {"content.xml": much, "styles.xml": much, "Object 1/content.xml": much}), within=small_sandbox
    )
    assert document.status is not Status.FAILED
    assert document.chars <= 3_000_000


OPF = (
    '<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>A book</dc:title>'
    "<dc:creator>Olga Author</dc:creator></metadata>"
    '<manifest><item id="b" href="text/second%20page.xhtml"/><item id="a" href="text/first.xml"/></manifest>'
    '<spine><itemref idref="a"/><itemref idref="b"/></spine></package>'
)
BOOK = {
    "META-INF/container.xml": '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    "OPS/book.opf": OPF,
    "OPS/text/second page.xhtml": "<html><body><p>Second Zoë</p></body></html>",
    "OPS/text/first.xml": "<html><head><title>t</title></head><body><p>First</p><script>no</script></body></html>",
}


def test_a_book_is_read_in_the_order_of_its_spine(examined: Examine) -> None:
    for says_type in (True, False):
        (document,) = examined(package("application/epub+zip", BOOK, says_type=says_type))
        assert (document.status, document.media_type) == (Status.COMPLETE, "application/epub+zip")
        assert {segment.where: segment.text for segment in document.segments} == {
            "properties": "A book\nOlga Author",
            "page 1": "t\nFirst",
            "page 2": "Second Zoë",
        }


@pytest.mark.parametrize(
    ("locked", "status"),
    [
        (["OPS/text/first.xml"], Status.PARTIAL),
        (["OPS/text/first.xml", "OPS/text/second%20page.xhtml"], Status.ENCRYPTED),
        (["f.ttf"], Status.COMPLETE),
    ],
)
def test_pages_under_rights_management(examined: Examine, locked: list[str], status: Status) -> None:
    references = "".join(f'<CipherReference URI="{uri}"/>' for uri in locked)
    parts = {**BOOK, "META-INF/encryption.xml": f"<encryption>{references}</encryption>"}
    (document,) = examined(package("application/epub+zip", parts))
    assert document.status is status

"""Invented documents, saved by an office suite in each of its formats -> everything they say, at its place."""

import lzma
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest

from core.records import Document, Status
from extraction.media_types import DOCX, XLSX

Examine = Callable[..., list[Document]]
SAMPLES = Path(__file__).parents[1] / "samples" / "office"
ODF = "application/vnd.oasis.opendocument."
BODY = (
    "Body of the letter to Zoë Müller in Orléans.",
    "Привет, Анна. 山田太郎 γειά σου שלום",
    "write to Ann",
    "left cell\tright cell",
    "Last line.",
)
PEOPLE = ("Olga Author", "Edith Editor", "Invented sample", "Subject words")
CELLS = ("Zoë Example\t42\t4165550123\t1970-03-12\t12.5", "Анна 山田\tnoted\t43")
SLIDES = {
    "slide 1": ("Title of Zoë", "First box"),
    "slide 2": ("Второй слайд", "山田太郎 second box"),
    "properties": PEOPLE,
}
NOTES = {"slide 1 notes": ("Speaker words",), "slide 2 notes": ("Notes of two",)}
OPEN_TEXT = {
    "body": (*BODY, "ann@example.org", "Box words", "Tab\tafter"),
    "headers": ("Header words",),
    "footers": ("Footer words",),
    "notes": ("Footnote words", "Endnote words"),
    "comments": ("Carol Commenter", "Comment words"),
    "changes": ("Rita Reviser", "deleted words"),
    "properties": PEOPLE,
}
OPEN_CELLS = {
    "sheet 1": (*CELLS, "Box words", "formula"),
    "sheet 2": ("far away",),
    "sheet names": ("Ward seven", "Second"),
    "comments": ("Carol Commenter", "Remark on a cell"),
    "headers": ("Sheet header",),
    "footers": ("Sheet footer",),
    "properties": PEOPLE,
}
TABLE: list[tuple[str, str, dict[str, tuple[str, ...]]]] = [
    (
        "letter.doc",
        "application/msword",
        {
            "body": (*BODY, "ann@example.org", "deleted words", "Tab\tafter"),
            "headers and footers": ("Header words", "Footer words"),
            "footnotes": ("Footnote words",),
            "endnotes": ("Endnote words",),
            "comments": ("Comment words",),
            "text boxes": ("Box words",),
            "authors": ("Carol Commenter", "Rita Reviser"),
            "properties": PEOPLE,
        },
    ),
    (
        "letter.rtf",
        "text/rtf",
        {
            "body": (*BODY, "deleted words", "Tab\tafter"),
            "headers": ("Header words",),
            "footers": ("Footer words",),
            "footnotes": ("Footnote words", "Endnote words"),
            "comments": ("Carol Commenter", "Comment words"),
            "text boxes": ("Box words",),
            "links": ("ann@example.org",),
            "authors": ("Rita Reviser",),
            "properties": PEOPLE,
        },
    ),
    (
        "letter.docx",
        DOCX,
        {
            "body": (BODY[0], BODY[1], "deleted words", "Box words"),
            "header 1": ("Header words",),
            "comments": ("Comment words",),
            "authors": ("Carol Commenter", "Rita Reviser"),
            "links": ("ann@example.org",),
        },
    ),
    ("letter.odt", ODF + "text", OPEN_TEXT),
    ("letter.fodt", ODF + "flat+xml", OPEN_TEXT),
    (
        "letter-2003.xml",
        "application/vnd.ms-office.flat+xml",
        {
            "": (
                BODY[0],
                BODY[1],
                "ann@example.org",
                "Footnote words",
                "Comment words",
                "Header words",
                "deleted words",
                "Box words",
                *PEOPLE,
            )
        },
    ),
    (
        "book.xls",
        "application/vnd.ms-excel",
        {
            "sheet 1": CELLS,
            "sheet 2": ("far away",),
            "sheet names": ("Ward seven", "Second"),
            "comments and drawings 1": ("Remark on a cell", "Box words"),
            "comments 1": ("Carol Commenter",),
            "headers and footers 1": ("Sheet header", "Sheet footer"),
            "properties": PEOPLE,
        },
    ),
    ("book.ods", ODF + "spreadsheet", OPEN_CELLS),
    ("book.fods", ODF + "flat+xml", OPEN_CELLS),
    (
        "book-2003.xml",
        "application/vnd.ms-office.flat+xml",
        {"": ("Ward seven", "Zoë Example\t42\t4165550123", "far away")},
    ),
    (
        "show.ppt.xz",
        "application/vnd.ms-powerpoint",
        {**SLIDES, "notes 1": ("Speaker words",), "notes 2": ("Notes of two",)},
    ),
    ("show.odp", ODF + "presentation", {**SLIDES, **NOTES}),
    ("show.fodp", ODF + "flat+xml", {**SLIDES, **NOTES, "master": ("Clinic of Nowhere",)}),
]


def sample(name: str) -> bytes:
    data = (SAMPLES / name).read_bytes()
    return lzma.decompress(data) if name.endswith(".xz") else data


@pytest.mark.parametrize(("name", "media_type", "expected"), TABLE, ids=[entry[0] for entry in TABLE])
def test_a_sample_says_everything_at_its_place(
    examined: Examine, name: str, media_type: str, expected: dict[str, tuple[str, ...]]
) -> None:
    (document,) = examined(sample(name))
    assert (document.status, document.reason, document.media_type) == (Status.COMPLETE, "", media_type)
    places: dict[str, str] = {}
    for segment in document.segments:
        places[segment.where] = f"{places.get(segment.where, '')}{segment.text}\n"
    for where, phrases in expected.items():
        for phrase in phrases:
            assert phrase in places[where], (where, phrase)
    assert "HYPERLINK" not in document.text
    assert "Click to edit" not in document.text


def test_no_place_quotes_a_document(examined: Examine) -> None:
    for name, _, _ in TABLE:
        for segment in examined(sample(name))[-1].segments:
            assert not {"ward", "second", "page1", "frame1"} & set(segment.where.lower().split())


def retyped(data: bytes, before: str, after: str) -> bytes:
    """The same package under another content type, as templates and files with macros are."""
    out = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for info in old.infolist():
            part = old.read(info)
            new.writestr(
                info.filename,
                part.replace(before.encode(), after.encode()) if info.filename == "[Content_Types].xml" else part,
            )
    return out.getvalue()


@pytest.mark.parametrize(
    "after",
    [
        "application/vnd.ms-word.document.macroEnabled.main+xml",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml",
        "application/vnd.ms-word.template.macroEnabledTemplate.main+xml",
    ],
)
def test_templates_and_files_with_macros_are_read_alike(examined: Examine, after: str) -> None:
    plain = sample("letter.docx")
    kin = retyped(plain, f"{DOCX}.main+xml", after)
    assert kin != plain
    assert examined(kin)[-1].text == examined(plain)[-1].text
    assert XLSX != DOCX


@pytest.mark.parametrize("name", [entry[0] for entry in TABLE])
@pytest.mark.parametrize("share", [0.2, 0.6, 0.8])
def test_a_truncated_sample_is_never_called_complete(examined: Examine, name: str, share: float) -> None:
    data = sample(name)
    document = examined(data[: int(len(data) * share)])[-1]
    assert document.status in (Status.PARTIAL, Status.FAILED, Status.CONTAINER), document.reason

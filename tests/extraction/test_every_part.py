"""Parts of Office files and bytes of archives that no usual reader asks for are read too."""

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable

import docx
import openpyxl
import pytest
import zstandard
from openpyxl.worksheet.datavalidation import DataValidation

from core.records import Document, Status
from extraction.readers.ooxml.said_in_attributes import is_prose, said_by_address

Examine = Callable[..., list[Document]]
HIDDEN = "Margaret Thompson was admitted with pneumonia"
PACKED: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": zstandard.compress,
    "zlib": zlib.compress,
}


def with_part(document: bytes, name: str, data: bytes) -> bytes:
    out = io.BytesIO(document)
    with zipfile.ZipFile(out, "a") as archive:
        archive.writestr(name, data)
    return out.getvalue()


def word() -> bytes:
    out = io.BytesIO()
    document = docx.Document()
    document.add_paragraph("Notes for the spring fair")
    document.save(out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("word/unheard.xml", f"<a><b>{HIDDEN}</b></a>"),
        ("word/attributes.xml", f'<a note="{HIDDEN}"/>'),
        ("word/notes.txt", HIDDEN),
        ("custom/page.html", f"<p>{HIDDEN}</p>"),
    ],
)
def test_a_part_that_nobody_expects_is_read(examined: Examine, name: str, data: str) -> None:
    documents = examined(with_part(word(), name, data.encode()))
    assert documents[-1].status is Status.COMPLETE
    assert any(HIDDEN in document.text for document in documents)


def test_an_ordinary_document_has_no_members_and_only_its_own_words(examined: Examine) -> None:
    (document,) = examined(word())
    assert document.status is Status.COMPLETE
    assert {segment.where for segment in document.segments} <= {"body", "properties"}


def test_messages_and_strings_of_a_workbook_that_no_cell_shows_are_read(examined: Examine) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet["A1"] = "Stall"
    rule = DataValidation(type="whole", showInputMessage=True, prompt=HIDDEN)
    sheet.add_data_validation(rule)
    rule.add("A1")
    out = io.BytesIO()
    book.save(out)
    (document,) = examined(out.getvalue())
    assert document.status is Status.COMPLETE
    assert HIDDEN in document.text


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        (HIDDEN, True),
        ("w14 w15 w16se w16cid w16 w16cex w16sdtdh", False),  # namespaces that every Word file names
        ("6, 36, 1, 13, 9, 14", False),
    ],
)
def test_only_words_are_prose(text: str, prose: bool) -> None:
    assert is_prose(text) is prose


def test_an_address_says_something_if_it_is_a_sentence() -> None:
    assert said_by_address("https://a.example/?note=Margaret+Thompson+has+asthma")
    assert not said_by_address("https://a.example/list/of/things?q=bar")


@pytest.mark.parametrize("kind", PACKED)
def test_what_lies_behind_a_packed_stream_is_a_member(examined: Examine, kind: str) -> None:
    data = PACKED[kind](b"Notes for the spring fair\n" * 40) + HIDDEN.encode()
    texts = {document.uri.rpartition("!")[2]: document.text for document in examined(data)[:-1]}
    assert texts.pop("behind the end") == HIDDEN
    assert [text.count("spring fair") for text in texts.values()] == [40]


@pytest.mark.parametrize("kind", ["gzip", "bzip2", "xz", "zstd"])
def test_packed_streams_in_a_row_are_one_file(examined: Examine, kind: str) -> None:
    pack = PACKED[kind]
    (member, _) = examined(pack(b"Notes for the spring fair\n") + pack(HIDDEN.encode()))
    assert member.text == f"Notes for the spring fair\n{HIDDEN}"


def test_the_comment_of_a_gzip_file_is_read(examined: Examine) -> None:
    packed = bytearray(gzip.compress(b"Notes"))
    packed[3] |= 16
    packed[10:10] = HIDDEN.encode() + b"\0"
    assert HIDDEN in [document.text for document in examined(bytes(packed))]


def test_an_entry_that_was_taken_out_of_the_directory_of_a_zip_is_read(examined: Examine) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("fair.txt", "Notes for the spring fair")
        archive.writestr("hidden.txt", HIDDEN)
        archive.writestr("end.txt", "The end of the notes")
        archive.filelist = [info for info in archive.filelist if info.filename != "hidden.txt"]
    assert any(HIDDEN in document.text for document in examined(out.getvalue()))


def test_what_lies_behind_the_end_of_a_tar_is_read(examined: Examine) -> None:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        info = tarfile.TarInfo("fair.txt")
        info.size = 5
        archive.addfile(info, io.BytesIO(b"Notes"))
    members = examined(out.getvalue() + HIDDEN.encode())
    assert HIDDEN in [document.text.strip("\0") for document in members]

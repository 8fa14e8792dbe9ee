"""Zip files without their directory, and entries that do not keep what it states."""

import io
import zipfile
from collections.abc import Callable

import pytest
from docx import Document as WordDocument

from core.records import Document, Status

Examine = Callable[..., list[Document]]
FILES = {"a.txt": "Ann Example, ward 7\n" * 50, "b/c.txt": "Bob Sample\n", "d.bin": "Carol Third\n" * 2_000}


def zip_of(files: dict[str, str], *, streamed: bool = False) -> bytes:
    out = io.BytesIO()
    sink = _Unseekable(out) if streamed else out
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return out.getvalue()


class _Unseekable(io.RawIOBase):
    """Makes the sizes of an entry follow it."""

    def __init__(self, out: io.BytesIO) -> None:
        self._out = out

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        return self._out.write(data)  # type: ignore[arg-type]


def texts(documents: list[Document]) -> dict[str, str]:
    return {document.uri.rpartition("!")[2]: document.text for document in documents[:-1]}


@pytest.mark.parametrize("streamed", [False, True])
def test_entries_are_found_without_a_directory(examined: Examine, streamed: bool) -> None:
    whole = zip_of(FILES, streamed=streamed)
    documents = examined(whole[: whole.find(b"PK\x01\x02")])
    assert texts(documents) == FILES
    assert (documents[-1].status, documents[-1].reason) == (Status.PARTIAL, "corrupt (BadZipFile)")


def test_an_entry_that_is_cut_off_is_read_as_far_as_it_goes(examined: Examine) -> None:
    whole = zip_of({"a.txt": "".join(f"Ann Example, ward {number}\n" for number in range(5_000))})
    (member, outer) = examined(whole[: len(whole) // 2])
    assert member.text.startswith("Ann Example, ward 0\nAnn Example, ward 1\n")
    assert outer.status is Status.PARTIAL


def test_an_archive_within_an_archive_without_a_directory_stays_one_member(examined: Examine) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("inner.zip", zip_of(FILES))
        archive.writestr("far.txt", "far from the directory within\n" * 5_000)
    whole = out.getvalue()
    names = [document.uri.partition("!")[2] for document in examined(whole[: whole.rfind(b"directory within\n") + 17])]
    assert names == ["inner.zip!a.txt", "inner.zip!b/c.txt", "inner.zip!d.bin", "inner.zip", "far.txt", ""]


def test_an_entry_with_a_wrong_checksum_is_read_and_never_called_complete(examined: Examine) -> None:
    data = bytearray(zip_of({"a.txt": "Ann Example, ward 7\n"}))
    for mark, place in ((b"PK\x03\x04", 14), (b"PK\x01\x02", 16)):
        data[data.find(mark) + place] ^= 1
    member, _ = examined(bytes(data))
    assert (member.status, member.reason, member.text) == (
        Status.PARTIAL,
        "corrupt (BadZipFile)",
        "Ann Example, ward 7\n",
    )


def test_a_document_that_is_cut_off_is_read_as_far_as_it_goes(examined: Examine) -> None:
    document = WordDocument()
    document.add_paragraph("Ann Example, ward 7")
    out = io.BytesIO()
    document.save(out)
    whole = out.getvalue()
    (result,) = examined(whole[: whole.find(b"PK\x01\x02")])
    assert result.status is Status.PARTIAL
    assert "Ann Example, ward 7" in result.text

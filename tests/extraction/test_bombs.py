"""Small files that ask for far more than they are end in a status, within their limits."""

import dataclasses
import gzip
import io
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchmarks.bomb_files import docx, laughs, picture, zip_of
from benchmarks.gzip_quine import gzip_quine
from core.records import Document, Status
from core.settings import LimitSettings
from extraction.sandbox import Sandbox

Examine = Callable[..., list[Document]]
BOMB = "processor time limit (1 s beyond 20 times its size)"


@pytest.fixture(scope="module")
def hasty_sandbox() -> Iterator[Sandbox]:
    with Sandbox(LimitSettings(expansion_cpu_seconds=1, expansion_ratio=20, expanded_bytes=10**12)) as made:
        yield made


def overlapping(entries: int, size: int) -> bytes:
    """Every entry of the directory leads to the same data."""
    one = zip_of(("0", bytes(size)))
    start, end = one.index(b"PK\x01\x02"), one.index(b"PK\x05\x06")
    directory = one[start:end] * entries
    count = entries.to_bytes(2, "little") * 2
    return (
        one[:start]
        + directory
        + b"PK\x05\x06"
        + bytes(4)
        + count
        + len(directory).to_bytes(4, "little")
        + one[end + 16 :]
    )


def test_a_gzip_that_contains_itself_ends_at_the_depth_limit(examined: Examine, small_sandbox: Sandbox) -> None:
    quine = gzip_quine()
    assert gzip.decompress(quine) == quine
    documents = examined(quine, "a.gz", small_sandbox)
    assert [document.status for document in documents] == [Status.PARTIAL] + [Status.CONTAINER] * 4
    assert documents[0].reason == "depth limit (3)"


def test_a_zip_of_a_gzip_that_contains_itself(examined: Examine, small_sandbox: Sandbox) -> None:
    documents = examined(zip_of(("a.gz", gzip_quine()), ("b.txt", b"words")), "a.zip", small_sandbox)
    assert "depth limit (3)" in {document.reason for document in documents}
    assert "words" in {document.text for document in documents}
    assert documents[-1].status is Status.CONTAINER


def test_entries_that_overlap_meet_the_budget_of_the_whole_file(examined: Examine, small_sandbox: Sandbox) -> None:
    documents = examined(overlapping(40, 900_000), "a.zip", small_sandbox)
    assert (documents[-1].status, documents[-1].reason) == (Status.PARTIAL, "expanded size limit (3,000,000 bytes)")
    assert len(documents) < 10


def test_zips_within_zips_meet_the_budget_of_the_whole_file(examined: Examine, small_sandbox: Sandbox) -> None:
    data = bytes(400_000)
    for _ in range(3):
        data = zip_of(*((str(number), data) for number in range(8)))
    documents = examined(data, "a.zip", small_sandbox)
    assert (documents[-1].status, documents[-1].reason) == (Status.PARTIAL, "expanded size limit (3,000,000 bytes)")


def test_what_expands_much_and_slowly_is_stopped_and_its_text_is_kept(
    examined: Examine, hasty_sandbox: Sandbox
) -> None:
    rows = b'<row><c t="inlineStr"><is><t>words</t></is></c></row>' * 600_000
    part = (
        b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
        + rows
        + b"</sheetData></worksheet>"
    )
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
    types = f'<Types><Override PartName="/xl/workbook.xml" ContentType="{kind}"/></Types>'
    data = zip_of(
        ("[Content_Types].xml", types.encode()), ("xl/workbook.xml", b"<workbook/>"), ("xl/worksheets/sheet1.xml", part)
    )
    (document,) = examined(data, "a.xlsx", hasty_sandbox)
    assert (document.status, document.reason) == (Status.PARTIAL, BOMB)
    assert document.text.startswith("words\nwords")


def test_after_a_member_was_stopped_no_further_one_is_opened(examined: Examine, hasty_sandbox: Sandbox) -> None:
    documents = examined(overlapping(5_000, 60_000_000), "a.zip", hasty_sandbox)
    assert (documents[-1].status, documents[-1].reason) == (Status.PARTIAL, BOMB)
    assert len(documents) < 1_000


@pytest.fixture(scope="module")
def patient_sandbox() -> Iterator[Sandbox]:
    with Sandbox(LimitSettings(expansion_cpu_seconds=0.1, expansion_ratio=1_000_000)) as made:
        yield made


def test_an_honest_file_that_expands_little_has_all_the_time_it_needs(
    examined: Examine, patient_sandbox: Sandbox
) -> None:
    documents = examined(
        zip_of(*((f"{number}.csv", b"words,and,more\n" * 500_000) for number in range(8))), "a.zip", patient_sandbox
    )
    assert {document.status for document in documents} == {Status.COMPLETE, Status.CONTAINER}


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("laughs.xml", laughs("x")),
        ("laughs.docx", docx(laughs("document"))),
        (
            "outside.xml",
            b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]><x>before &e; after</x>',
        ),
        (
            "outside.docx",
            docx(b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]><document><p><t>a &e; b</t></p></document>'),
        ),
        ("parameter.xml", b'<!DOCTYPE x [<!ENTITY % e SYSTEM "file:///etc/hostname"> %e;]><x>words</x>'),
    ],
)
def test_entities_are_never_resolved(examined: Examine, name: str, data: bytes) -> None:
    (document,) = examined(data, name)
    secret = Path("/etc/hostname").read_text().strip() if Path("/etc/hostname").exists() else ""
    assert document.chars < 10_000
    assert not secret or secret not in document.text
    assert document.status in (Status.COMPLETE, Status.PARTIAL, Status.FAILED)


def test_names_that_climb_out_are_only_labels(examined: Examine, tmp_path: Path) -> None:
    names = [
        "../../climb.txt",
        "/absolute.txt",
        "C:\\drive.txt",
        "a/../../b.txt",
        "bidi\u202etxt.exe",
        "line\nbreak.txt",
        "in!side.txt",
    ]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in names:
            archive.writestr(zipfile.ZipInfo(name), name.encode())
    documents = examined(out.getvalue(), "a.zip")
    assert [document.status for document in documents] == [Status.COMPLETE] * len(names) + [Status.CONTAINER]
    assert {path.name for path in tmp_path.iterdir()} == {"a.zip"}
    assert all(document.uri.isprintable() and document.uri.count("!") == 1 for document in documents[:-1])


def test_a_picture_that_promises_more_than_memory_is_not_decoded(examined: Examine) -> None:
    (document,) = examined(picture(30_000, 30_000), "a.png")
    assert document.status is not Status.FAILED
    assert "picture size limit" in document.reason or "OCR" in document.reason or "tesseract" in document.reason


def test_a_body_too_large_for_a_tree_says_the_same_as_a_small_one(examined: Examine, patient_sandbox: Sandbox) -> None:
    namespace = (
        b'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="http://example.org/mc"'
    )
    run = b"<w:r><w:t>Ann</w:t><w:tab/></w:r>"
    one = (
        b'<w:p><w:ins w:author="B. Writer">'
        + run
        + b"</w:ins><mc:Fallback>"
        + run
        + b"</mc:Fallback><w:r><w:t>&#233;t&#233;</w:t></w:r></w:p>"
    )
    bodies = [b"<w:document %s>" % namespace + one * count + b"</w:document>" for count in (3, 100_000)]
    small, large = (examined(docx(body), "a.docx", patient_sandbox) for body in bodies)
    assert (small[0].status, small[0].reason) == (large[0].status, large[0].reason) == (Status.COMPLETE, "")
    body = [segment.text for segment in small[0].segments if segment.where == "body"]
    stretches = [segment.text for segment in large[0].segments if segment.where == "body"]
    assert body == ["\n".join(["Ann\tété"] * 3)]
    assert len(stretches) > 1
    assert "\n".join(stretches) == "\n".join(["Ann\tété"] * 100_000)
    assert [segment.text for segment in large[0].segments if segment.where == "authors"] == ["B. Writer"]


def test_text_that_is_handed_over_counts_as_expansion(examined: Examine, tmp_path: Path) -> None:
    """A few kilobytes of Parquet hold one long word a million times; pyarrow unpacks them without asking."""
    sink = io.BytesIO()
    pq.write_table(pa.table({"a": ["one long word after the other " * 3] * 4_000_000}), sink, compression="zstd")
    assert len(sink.getvalue()) < 200_000
    with Sandbox(dataclasses.replace(LimitSettings(), expansion_cpu_seconds=0.3)) as strict:
        document = examined(sink.getvalue(), "a.parquet", strict)[-1]
    assert (document.status, document.reason.partition(" (")[0]) == (Status.PARTIAL, "processor time limit")
    assert 0 < document.chars < 300_000_000

import gzip
import hashlib
import io
import struct
import zipfile
import zlib
from collections.abc import Callable
from email.message import EmailMessage

import pytest

from core.records import Document, Status
from extraction.member_names import UniqueNames, label
from extraction.sandbox import Sandbox

Examine = Callable[..., list[Document]]


def zip_of(members: list[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return out.getvalue()


def nested(levels: int, data: bytes, name: str = "leaf.txt") -> bytes:
    for _ in range(levels):
        data = zip_of([(name, data)])
        name = "inner.zip"
    return data


def by_name(documents: list[Document]) -> dict[str, Document]:
    outer = documents[-1].uri
    named = {document.uri.removeprefix(outer).removeprefix("!"): document for document in documents}
    assert len(named) == len(documents)
    return named


def test_members_of_members_have_records_of_their_own(examined: Examine) -> None:
    inner = zip_of([("b.txt", b"two"), ("c.txt.gz", gzip.compress(b"three"))])
    members = by_name(examined(zip_of([("a.txt", b"one"), ("folder/", b""), ("folder/in.zip", inner)]), "out.zip"))
    assert {name: (document.status, document.text) for name, document in members.items()} == {
        "": (Status.CONTAINER, ""),
        "a.txt": (Status.COMPLETE, "one"),
        "folder/in.zip": (Status.CONTAINER, ""),
        "folder/in.zip!b.txt": (Status.COMPLETE, "two"),
        "folder/in.zip!c.txt.gz": (Status.CONTAINER, ""),
        "folder/in.zip!c.txt.gz!c.txt": (Status.COMPLETE, "three"),
    }
    outer = members[""]
    assert outer.container_uri is None
    assert members["folder/in.zip!b.txt"].container_uri == f"{outer.uri}!folder/in.zip"
    assert members["a.txt"].sha256 == hashlib.sha256(b"one").hexdigest()
    assert members["a.txt"].size == 3


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("../../etc/passwd", "../../etc/passwd"),
        ("/etc/passwd", "/etc/passwd"),
        ("a\nb\x1b[31m", "a%0Ab%1B[31m"),
        ("really!.txt", "really%21.txt"),
        ("\u202egpj.exe", "%E2%80%AEgpj.exe"),
        ("", "unnamed"),
        ("n" * 5000, "n" * 1000 + "..."),
        ("b\udcff", "b%FF"),
    ],
)
def test_names_of_members_are_labels(name: str, shown: str) -> None:
    assert label(name) == shown


def test_repeated_names_are_told_apart() -> None:
    names = UniqueNames()
    assert [names.take(name) for name in ("a", "a", "a#2", "a")] == ["a", "a#2", "a#2#2", "a#3"]


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_traversal_and_repeated_names_in_an_archive(examined: Examine) -> None:
    members = by_name(examined(zip_of([("../../x", b"one"), ("same", b"two"), ("same", b"three")])))
    assert {name: document.text for name, document in members.items() if name} == {
        "../../x": "one",
        "same": "two",
        "same#2": "three",
    }


def test_an_encrypted_member_is_told_apart_and_the_others_are_read(examined: Examine) -> None:
    data = bytearray(zip_of([("open.txt", b"open"), ("closed.txt", b"closed")], zipfile.ZIP_STORED))
    for signature, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = data.rfind(signature)
        data[place + flags] |= 1
    members = by_name(examined(bytes(data)))
    assert members["open.txt"].text == "open"
    assert (members["closed.txt"].status, members["closed.txt"].chars) == (Status.ENCRYPTED, 0)
    assert members[""].status is Status.CONTAINER


def test_a_compression_method_of_no_known_kind_is_unsupported(examined: Examine) -> None:
    data = bytearray(zip_of([("a.txt", b"open")], zipfile.ZIP_STORED))
    data[8:10] = data[data.rfind(b"PK\x01\x02") + 10 : data.rfind(b"PK\x01\x02") + 12] = struct.pack("<H", 97)
    assert by_name(examined(bytes(data)))["a.txt"].status is Status.UNSUPPORTED


def test_a_member_with_a_wrong_checksum_is_never_complete(examined: Examine) -> None:
    data = zip_of([("a.txt", b"first words")], zipfile.ZIP_STORED).replace(b"first words", b"other words")
    member = by_name(examined(data))["a.txt"]
    assert (member.status, member.reason, member.sha256) == (Status.PARTIAL, "corrupt (BadZipFile)", None)


def test_a_truncated_gzip_keeps_its_beginning(examined: Examine) -> None:
    text = b"".join(
        hashlib.sha256(bytes([number % 256, number // 256])).hexdigest().encode() + b"\n" for number in range(9000)
    )
    member = by_name(examined(gzip.compress(text)[:-20_000], "a.txt.gz"))["a.txt"]
    assert (member.status, member.reason) == (Status.PARTIAL, "corrupt (EOFError)")
    assert text.startswith(member.text.encode())
    assert member.chars > 100_000


def test_depth_is_limited_and_said(examined: Examine, small_sandbox: Sandbox) -> None:
    just = examined(nested(4, b"leaf"), within=small_sandbox)
    assert just[0].text == "leaf"
    too_deep = examined(nested(5, b"leaf"), within=small_sandbox)
    assert (too_deep[0].status, too_deep[0].reason) == (Status.PARTIAL, "depth limit (3)")
    assert {document.status for document in too_deep[1:]} == {Status.CONTAINER}
    assert not any(document.text for document in too_deep)


def test_an_archive_that_holds_itself_ends_at_the_depth_limit(examined: Examine, small_sandbox: Sandbox) -> None:
    data = b"x"
    for _ in range(40):
        data = gzip.compress(data)
    documents = examined(data, "quine.gz", small_sandbox)
    assert documents[0].reason == "depth limit (3)"
    assert len(documents) == 5


def test_members_are_limited_and_said(examined: Examine, small_sandbox: Sandbox) -> None:
    documents = examined(zip_of([(f"{number}.txt", b"x") for number in range(60)]), within=small_sandbox)
    assert len(documents) == 51
    assert (documents[-1].status, documents[-1].reason) == (Status.PARTIAL, "member limit (50)")
    assert all(document.status is Status.COMPLETE for document in documents[:-1])


def test_members_are_counted_over_all_depths(examined: Examine, small_sandbox: Sandbox) -> None:
    inner = zip_of([(f"{number}.txt", b"x") for number in range(40)])
    documents = examined(zip_of([("a.zip", inner), ("b.zip", inner)]), within=small_sandbox)
    members = by_name(documents)
    assert members["a.zip"].status is Status.CONTAINER
    assert (members["b.zip"].status, members["b.zip"].reason) == (Status.PARTIAL, "member limit (50)")
    assert len(documents) == 51


def test_a_bomb_in_one_member_stops_at_the_member_limit(examined: Examine, small_sandbox: Sandbox) -> None:
    members = by_name(examined(zip_of([("bomb.txt", b"a" * 2_500_000), ("after.txt", b"after")]), within=small_sandbox))
    assert (members["bomb.txt"].status, members["bomb.txt"].reason) == (
        Status.PARTIAL,
        "member size limit (1,000,000 bytes)",
    )
    assert members["bomb.txt"].chars == 1_000_000
    assert members["bomb.txt"].sha256 is None
    assert members["after.txt"].text == "after"


def test_a_gzip_bomb_stops_at_the_member_limit(examined: Examine, small_sandbox: Sandbox) -> None:
    member = examined(gzip.compress(b"a" * 50_000_000), "bomb.gz", small_sandbox)[0]
    assert member.reason == "member size limit (1,000,000 bytes)"
    assert (member.status, member.chars) == (Status.PARTIAL, 1_000_000)


def test_a_nested_bomb_stops_at_the_total(examined: Examine, small_sandbox: Sandbox) -> None:
    layer = zip_of([(f"{number}.txt", b"a" * 900_000) for number in range(5)])
    documents = examined(zip_of([(f"{number}.zip", layer) for number in range(5)]), within=small_sandbox)
    assert (documents[-1].status, documents[-1].reason) == (Status.PARTIAL, "expanded size limit (3,000,000 bytes)")
    assert sum(document.chars for document in documents) <= 3_000_000
    assert len(documents) < 10


def overlapping_bomb(entries: int, kernel: bytes) -> bytes:
    """Every directory entry points to the same compressed bytes."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(kernel) + packer.flush()
    sizes = struct.pack("<III", zlib.crc32(kernel), len(packed), len(kernel))
    local = b"PK\x03\x04" + struct.pack("<HHHHH", 20, 0, 8, 0, 0) + sizes + struct.pack("<HH", 1, 0) + b"k" + packed
    entry = (
        b"PK\x01\x02"
        + struct.pack("<HHHHHH", 20, 20, 0, 8, 0, 0)
        + sizes
        + struct.pack("<HHHHHII", 1, 0, 0, 0, 0, 0, 0)
        + b"k"
    )
    directory = entry * entries
    return (
        local
        + directory
        + b"PK\x05\x06"
        + struct.pack("<HHHHIIH", 0, 0, entries, entries, len(directory), len(local), 0)
    )


def test_entries_that_overlap_meet_the_total(examined: Examine, small_sandbox: Sandbox) -> None:
    documents = examined(overlapping_bomb(40, b"a" * 900_000), within=small_sandbox)
    assert documents[-1].status is not Status.CONTAINER
    assert sum(document.chars for document in documents) <= 3_000_000


def test_a_file_beyond_the_read_limit_is_partial_and_has_no_hash(examined: Examine, small_sandbox: Sandbox) -> None:
    page = rb"{\rtf1 " + b"word " * 500_000 + b"}"
    (document,) = examined(page, within=small_sandbox)
    assert (document.status, document.reason) == (Status.PARTIAL, "read limit (2,000,000 bytes)")
    assert (document.sha256, document.size) == (None, len(page))
    assert 0 < document.chars <= 2_000_000


def test_an_archive_beyond_the_read_limit_is_read_by_its_directory(examined: Examine, small_sandbox: Sandbox) -> None:
    filler = b"".join(hashlib.sha256(number.to_bytes(4, "big")).digest() for number in range(80_000))
    members = by_name(
        examined(
            zip_of([("filler.bin", filler), ("last.txt", b"still found")], zipfile.ZIP_STORED), within=small_sandbox
        )
    )
    assert members["last.txt"].text == "still found"
    assert members["filler.bin"].status is not Status.COMPLETE
    assert members[""].sha256 is None


def test_repeated_shared_strings_meet_the_text_limit(examined: Examine, small_sandbox: Sandbox) -> None:
    rows = '<row><c t="s"><v>0</v></c></row>' * 20_000
    parts = [
        ("[Content_Types].xml", b"<Types/>"),
        ("xl/sharedStrings.xml", b"<sst><si><t>" + b"a" * 10_000 + b"</t></si></sst>"),
        ("xl/worksheets/sheet1.xml", f"<worksheet><sheetData>{rows}</sheetData></worksheet>".encode()),
    ]
    (document,) = examined(zip_of(parts), within=small_sandbox)
    assert (document.status, document.reason) == (Status.PARTIAL, "text limit (3,000,000 bytes)")
    assert 2_000_000 < document.chars <= 3_000_000


@pytest.mark.parametrize("data", [b"PK\x03\x04", b"PK\x05\x06" + bytes(5), zip_of([("a.txt", b"abc" * 50)])[:20]])
def test_archives_without_a_directory_fail(examined: Examine, data: bytes) -> None:
    (document,) = examined(data)
    assert (document.status, document.reason) == (Status.FAILED, "corrupt (BadZipFile)")


def test_a_truncated_word_document_fails(examined: Examine) -> None:
    package = zip_of([("[Content_Types].xml", b"<Types/>"), ("word/document.xml", b"<a/>" * 99)])
    (document,) = examined(package[:-30], "cut.docx")
    assert document.status is Status.FAILED
    assert document.media_type.endswith("wordprocessingml.document")


def test_an_empty_archive_is_a_container(examined: Examine) -> None:
    (document,) = examined(zip_of([]))
    assert (document.status, document.media_type) == (Status.CONTAINER, "application/zip")


def word_with(body: str) -> bytes:
    return zip_of([("[Content_Types].xml", b"<Types/>"), ("word/document.xml", body.encode())])


def test_entities_are_not_expanded(examined: Examine, small_sandbox: Sandbox) -> None:
    laughs = '<!ENTITY l0 "lol">' + "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    (document,) = examined(
        word_with(f"<!DOCTYPE d [{laughs}]><d><p><t>before &l9; after</t></p></d>"), within=small_sandbox
    )
    assert document.chars < 1000


def test_external_entities_are_not_fetched(examined: Examine) -> None:
    body = '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><d><p><t>before &x; after</t></p></d>'
    (document,) = examined(word_with(body))
    assert "root:" not in document.text


def test_xml_of_great_depth_is_cut_and_said(examined: Examine) -> None:
    (document,) = examined(word_with("<d><p><t>above</t></p>" + "<x>" * 5000 + "<t>deep</t>" + "</x>" * 5000 + "</d>"))
    assert document.status is Status.PARTIAL
    assert document.reason == "corrupt (XMLSyntaxError)"
    assert "above" in document.text


@pytest.mark.parametrize("tag", ["div", "b", "a", "font", "table"])
def test_html_of_great_depth_keeps_its_text(examined: Examine, tag: str) -> None:
    (document,) = examined(
        b"<html>" + f"<{tag}>x".encode() * 30_000 + b"deep" + f"</{tag}>".encode() * 30_000 + b"<p>after</html>"
    )
    assert document.status is Status.COMPLETE
    assert "deep" in document.text
    assert "after" in document.text


def test_mail_of_great_depth_still_has_a_status(examined: Examine) -> None:
    start = b"MIME-Version: 1.0\nFrom: a@example.org\n"
    boundaries = b"".join(b'Content-Type: multipart/mixed; boundary="%d"\n\n--%d\n' % (n, n) for n in range(2000))
    documents = examined(start + boundaries + b"\nleaf words\n")
    assert documents[-1].status in (Status.COMPLETE, Status.PARTIAL)
    assert any("leaf words" in document.text for document in documents)


def test_a_mail_keeps_its_own_text_beside_a_broken_attachment(examined: Examine) -> None:
    mail = EmailMessage()
    mail["From"], mail["Message-ID"] = "a@example.org", "<1@example.org>"
    mail.set_content("own words")
    mail.add_attachment(b"PK\x03\x04broken", maintype="application", subtype="zip", filename="b.zip")
    member, document = examined(mail.as_bytes())
    assert (member.status, document.status) == (Status.FAILED, Status.COMPLETE)
    assert "own words" in document.text

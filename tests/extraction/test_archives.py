import bz2
import gzip
import hashlib
import io
import lzma
import struct
import tarfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from core.records import Document, Status
from core.settings import LimitSettings
from extraction.content import Content
from extraction.format import StoppedError
from extraction.identify.identify import identify
from extraction.limits.budget import Budget
from extraction.readers.archives import libarchive_members as archive_members
from extraction.sandbox import Sandbox

Examine = Callable[..., list[Document]]
SAMPLES = Path(__file__).parents[1] / "samples" / "archives"
NOISE = b"".join(hashlib.sha256(number.to_bytes(4, "big")).hexdigest().encode() + b"\n" for number in range(4000))


def tar_of(members: list[tuple[str, bytes]], special: tuple[tarfile.TarInfo, ...] = ()) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for info in special:
            archive.addfile(info)
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def by_name(documents: list[Document]) -> dict[str, Document]:
    outer = documents[-1].uri
    named = {document.uri.removeprefix(outer).removeprefix("!"): document for document in documents}
    assert len(named) == len(documents)
    return named


def texts(documents: list[Document]) -> dict[str, str]:
    return {name: document.text for name, document in by_name(documents).items() if name}


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".lzma": lambda data: lzma.compress(data, lzma.FORMAT_ALONE),
    ".zst": zstandard.ZstdCompressor().compress,
}


@pytest.mark.parametrize("ending", PACKERS)
def test_a_tar_packed_or_not_gives_its_files_and_no_links_devices_or_folders(examined: Examine, ending: str) -> None:
    odd = (
        special("link", tarfile.SYMTYPE, "/etc/passwd"),
        special("hard", tarfile.LNKTYPE, "../x"),
        special("null", tarfile.CHRTYPE),
        special("folder", tarfile.DIRTYPE),
        special("pipe", tarfile.FIFOTYPE),
    )
    data = tar_of([("folder/a.txt", b"one"), ("../../x", b"two"), ("/etc/shadow", b"three"), ("é" * 120, b"four")], odd)
    documents = examined(PACKERS[ending](data), "share.tar" + ending)
    assert texts(documents) == {"folder/a.txt": "one", "../../x": "two", "/etc/shadow": "three", "é" * 120: "four"}
    assert (documents[-1].status, documents[-1].chars) == (Status.CONTAINER, 0)


@pytest.mark.parametrize("ending", [ending for ending in PACKERS if ending])
def test_a_packed_file_has_one_member(examined: Examine, ending: str) -> None:
    member, outer = examined(PACKERS[ending](b"Ann Example\n"), "note.txt" + ending)
    assert (member.uri, member.text) == (f"{outer.uri}!note.txt", "Ann Example\n")
    assert outer.status is Status.CONTAINER


@pytest.mark.parametrize("ending", [ending for ending in PACKERS if ending])
def test_a_truncated_packed_file_keeps_its_beginning(examined: Examine, ending: str) -> None:
    packed = PACKERS[ending](NOISE * 4)
    member, _ = examined(packed[: len(packed) * 9 // 10], "note.txt" + ending)
    assert member.status is Status.PARTIAL
    assert member.reason.startswith("corrupt (")
    assert NOISE[:1000].decode() in member.text


@pytest.mark.parametrize("ending", PACKERS)
def test_a_truncated_tar_keeps_what_came_before_and_is_partial(examined: Examine, ending: str) -> None:
    packed = PACKERS[ending](tar_of([("first.txt", NOISE), ("second.txt", NOISE[::-1] * 4)]))
    documents = examined(packed[: len(packed) * 9 // 10], "share.tar" + ending)
    members = by_name(documents)
    assert members["first.txt"].text == NOISE.decode()
    assert members["second.txt"].status is Status.PARTIAL
    assert members[""].status is Status.PARTIAL


def test_a_damaged_header_is_not_taken_for_the_end(examined: Examine) -> None:
    data = bytearray(tar_of([("a.txt", b"one"), ("b.txt", b"two")]))
    data[1024 + 3] ^= 0xFF
    members = by_name(examined(bytes(data), "share.tar"))
    assert members["a.txt"].text == "one"
    assert (members[""].status, members[""].reason) == (Status.PARTIAL, "corrupt (InvalidHeaderError)")


def test_a_tar_of_documents_is_a_tar(examined: Examine) -> None:
    documents = examined(tar_of([("a.pdf", b"%PDF-1.7\nbroken")]))
    assert documents[-1].media_type == "application/x-tar"
    assert documents[0].media_type == "application/pdf"


def test_sparse_files_within_a_tar_meet_the_limits(examined: Examine, small_sandbox: Sandbox) -> None:
    info = tarfile.TarInfo("sparse.bin")
    info.pax_headers = {
        "GNU.sparse.major": "0",
        "GNU.sparse.minor": "1",
        "GNU.sparse.size": "9000000000",
        "GNU.sparse.map": "8999999995,5",
    }
    info.size = 5
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(info, io.BytesIO(b"end.\n"))
    members = by_name(examined(gzip.compress(out.getvalue()), "sparse.tar.gz", small_sandbox))
    assert members["sparse.bin"].size <= 1_100_000


def test_what_a_packed_tar_passes_over_is_charged(examined: Examine, small_sandbox: Sandbox) -> None:
    data = gzip.compress(tar_of([("zeros.bin", bytes(30_000_000)), ("after.txt", b"after")]))
    documents = examined(data, "bomb.tar.gz", small_sandbox)
    assert (documents[-1].status, documents[-1].reason) == (Status.PARTIAL, "expanded size limit (3,000,000 bytes)")
    assert "after.txt" not in texts(documents)


def test_twenty_thousand_members_meet_the_limit(examined: Examine) -> None:
    documents = examined(tar_of([(f"{number}.txt", b"x") for number in range(20_000)]), "many.tar")
    assert len(documents) == 10_001
    assert (documents[-1].status, documents[-1].reason) == (Status.PARTIAL, "member limit (10,000)")


FILES = {"docs/a.txt": "Ann Example, ward 7\n", "docs/é b.txt": "Bob Sample\n"}


@pytest.mark.parametrize(
    ("sample", "media_type", "files"),
    [
        ("plain.7z", "application/x-7z-compressed", {**FILES, "docs/hard.txt": "Ann Example, ward 7\n"}),
        ("plain.cab", "application/vnd.ms-cab-compressed", FILES),
        ("plain.cpio", "application/x-cpio", None),
        ("plain.xar", "application/x-xar", None),
        ("plain.tar.Z", "application/x-compress", None),
        ("plain.tar.lz", "application/x-lzip", None),
        ("plain.tar.lz4", "application/x-lz4", None),
        ("plain.a", "application/x-archive", {"a.txt": "Ann Example, ward 7\n"}),
    ],
)
def test_archives_of_many_kinds(examined: Examine, sample: str, media_type: str, files: dict[str, str] | None) -> None:
    documents = examined((SAMPLES / sample).read_bytes(), sample)
    assert (documents[-1].status, documents[-1].media_type) == (Status.CONTAINER, media_type)
    members = texts(documents)
    if files is not None:
        assert members == files
    else:  # the linked file has either of its two names
        assert members["docs/é b.txt"] == "Bob Sample\n"
        assert "Ann Example, ward 7\n" in members.values()
        assert "docs/link" not in members


def test_a_disc_image(examined: Examine) -> None:
    members = by_name(examined((SAMPLES / "plain.iso.xz").read_bytes(), "plain.iso.xz"))
    assert members["plain.iso"].media_type == "application/x-iso9660-image"
    assert members["plain.iso!a.txt"].text == "Ann Example, ward 7\n"
    assert members["plain.iso!é b.txt"].text == "Bob Sample\n"


def test_archives_under_a_password_are_encrypted(examined: Examine) -> None:
    member, outer = examined((SAMPLES / "encrypted.7z").read_bytes())
    assert (member.status, member.chars, outer.status) == (Status.ENCRYPTED, 0, Status.CONTAINER)
    (closed,) = examined((SAMPLES / "encrypted_names.7z").read_bytes())
    assert (closed.status, closed.reason) == (Status.ENCRYPTED, "password-protected archive")


@pytest.mark.parametrize("sample", sorted(path.name for path in SAMPLES.iterdir()))
def test_archives_cut_anywhere_end_in_a_status(examined: Examine, small_sandbox: Sandbox, sample: str) -> None:
    data = (SAMPLES / sample).read_bytes()
    for part in range(2, 8):
        documents = examined(data[: len(data) * part // 8], sample, small_sandbox)
        assert len(documents) < 20
        assert documents[-1].status is not Status.COMPLETE


def test_a_nested_bomb_of_many_kinds_stops_at_the_total(examined: Examine, small_sandbox: Sandbox) -> None:
    documents = examined((SAMPLES / "bomb.7z").read_bytes(), "bomb.7z", small_sandbox)
    assert sum(document.chars for document in documents) <= 3_000_000
    assert any(document.reason == "expanded size limit (3,000,000 bytes)" for document in documents)


def test_bytes_that_a_filter_does_not_take_do_not_hold_themselves(examined: Examine) -> None:
    (document,) = examined(b"\x1f\x9d", "odd.Z")
    assert (document.status, document.reason) == (Status.FAILED, "corrupt (ArchiveError)")


def test_without_libarchive_the_reason_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_members, "_LIBRARY", None)
    content = Content(b"7z\xbc\xaf\x27\x1c", 6)
    with pytest.raises(StoppedError) as stopped:
        list(archive_members.archive_members(content, Budget(LimitSettings()), ()))
    assert (stopped.value.status, stopped.value.reason) == (
        Status.UNSUPPORTED,
        "needs libarchive (apt-get install libarchive13)",
    )


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (b"BZhang Wei, telephone 5550123\n", "text/plain"),
        (b"070707 is the code of the door\n", "text/plain"),
        (b"LZIP codes of all towns\n", "text/plain"),
    ],
)
def test_texts_that_begin_like_archives_stay_texts(data: bytes, media_type: str) -> None:
    assert identify(data) == media_type


def xar_of(table: str, heap: bytes = b"") -> bytes:
    packed = zlib.compress(table.encode())
    return struct.pack(">4sHHQQI", b"xar!", 28, 1, len(packed), len(table), 0) + packed + heap


def xar_entry(name: str, data: bytes, style: str, offset: int = 0, length: int | None = None) -> str:
    place = (
        f"<offset>{offset}</offset><length>{len(data) if length is None else length}</length>"
        f"<encoding style='application/{style}'/>"
    )
    return f"<file><name>{name}</name><type>file</type><data>{place}</data></file>"


@pytest.mark.parametrize(
    ("style", "pack"),
    [("octet-stream", bytes), ("x-gzip", zlib.compress), ("x-bzip2", bz2.compress), ("x-xz", lzma.compress)],
)
def test_members_of_a_xar_archive(examined: Examine, style: str, pack: Callable[[bytes], bytes]) -> None:
    data = pack(b"Ann Example")
    folder = f"<file><name>docs</name><type>directory</type>{xar_entry('a.txt', data, style)}</file>"
    link = "<file><name>link</name><type>symlink</type><link>/etc/passwd</link></file>"
    assert texts(examined(xar_of(f"<xar><toc>{folder}{link}</toc></xar>", data))) == {"docs/a.txt": "Ann Example"}


def test_a_xar_archive_that_lies_about_its_members(examined: Examine, small_sandbox: Sandbox) -> None:
    bomb = zlib.compress(bytes(20_000_000))
    entries = (
        xar_entry("bomb", bomb, "x-gzip")
        + xar_entry("behind", b"", "octet-stream", offset=10**9, length=50)
        + xar_entry("before", b"", "octet-stream", offset=-(10**9), length=50)
        + xar_entry("odd", b"", "x-unheard-of")
    )
    members = by_name(examined(xar_of(f"<xar><toc>{entries}</toc></xar>", bomb), "odd.xar", small_sandbox))
    assert members["bomb"].size <= 1_100_000
    assert {members[name].status for name in ("behind", "before")} == {Status.FAILED}
    assert members["odd"].status is Status.UNSUPPORTED


def ar_of(members: list[tuple[str, bytes]]) -> bytes:
    return b"!<arch>\n" + b"".join(
        f"{name + '/':<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(data):<10}`\n".encode() + data for name, data in members
    )


@pytest.mark.parametrize("pack", [pytest.param(tar_of, id="tar"), pytest.param(ar_of, id="ar")])
@pytest.mark.parametrize(
    "lead", [pytest.param(650_000, id="in the middle of a member"), pytest.param(666_000, id="near its end")]
)
def test_the_member_that_the_read_limit_cuts_is_partial_and_names_the_limit(
    examined: Examine, small_sandbox: Sandbox, pack: Callable[[list[tuple[str, bytes]]], bytes], lead: int
) -> None:
    sizes = {"a.txt": lead, "b.txt": lead, "c.txt": 900_000, "d.txt": 100}
    members = by_name(
        examined(pack([(name, (NOISE * 4)[:size]) for name, size in sizes.items()]), within=small_sandbox)
    )
    assert [members[name].status for name in ("a.txt", "b.txt")] == [Status.COMPLETE, Status.COMPLETE]
    assert (members["c.txt"].status, members["c.txt"].reason) == (Status.PARTIAL, "read limit (2,000,000 bytes)")
    assert members["c.txt"].size == 900_000
    assert members["c.txt"].text and members["c.txt"].text in NOISE.decode() * 4
    assert (members[""].status, members[""].reason) == (Status.PARTIAL, "read limit (2,000,000 bytes)")
    assert "d.txt" not in members

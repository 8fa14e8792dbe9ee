"""Archives written byte by byte, since no free program writes them: stored rar and lha, rare zip methods."""

import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Callable

import inflate64
import pytest
import zstandard

from core.records import Document, Status

Examine = Callable[..., list[Document]]
WORDS = b"Ann Example, ward 7\n"
FILES = [("docs/a.txt", WORDS), ("b.txt", b"Bob Sample\n")]


def vint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def rar5_block(body: bytes, data: bytes = b"") -> bytes:
    sized = vint(len(body)) + body
    return struct.pack("<I", zlib.crc32(sized)) + sized + data


def rar5_of(files: list[tuple[str, bytes]]) -> bytes:
    out = b"Rar!\x1a\x07\x01\0" + rar5_block(vint(1) + vint(0) + vint(0))
    for name, data in files:
        head = (
            vint(2)
            + vint(2)
            + vint(len(data))
            + vint(4)
            + vint(len(data))
            + vint(0o100644)
            + struct.pack("<I", zlib.crc32(data))
        )
        out += rar5_block(head + vint(0) + vint(1) + vint(len(name)) + name.encode(), data)
    return out + rar5_block(vint(5) + vint(0) + vint(0))


def rar4_block(kind: int, flags: int, body: bytes, data: bytes = b"") -> bytes:
    head = struct.pack("<BHH", kind, flags, len(body) + 7) + body
    return struct.pack("<H", zlib.crc32(head) & 0xFFFF) + head + data


def rar4_of(files: list[tuple[str, bytes]], flags: int = 0) -> bytes:
    out = b"Rar!\x1a\x07\0" + rar4_block(0x73, 0, bytes(6))
    for name, data in files:
        head = struct.pack("<IIBIIBBHI", len(data), len(data), 3, zlib.crc32(data), 0, 20, 0x30, len(name), 0o100644)
        out += rar4_block(0x74, 0x8000 | flags, head + name.encode(), data)
    return out + rar4_block(0x7B, 0x4000, b"")


def crc16(data: bytes) -> int:
    value = 0
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ 0xA001 if value & 1 else value >> 1
    return value


def lha_of(files: list[tuple[str, bytes]]) -> bytes:
    out = b""
    for name, data in files:
        body = (
            b"-lh0-"
            + struct.pack("<IIIBBB", len(data), len(data), 0, 0x20, 0, len(name))
            + name.encode()
            + struct.pack("<H", crc16(data))
        )
        out += bytes([len(body), sum(body) & 0xFF]) + body + data
    return out + b"\0"


def zip_entry(method: int, packed: bytes, plain: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.txt", packed)
        archive.writestr("b.txt", b"Bob Sample\n")
    data = bytearray(out.getvalue())
    for mark, place in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        start = data.find(mark)
        struct.pack_into("<H", data, start + place, method)
        struct.pack_into("<I", data, start + place + 6, zlib.crc32(plain))
        struct.pack_into("<I", data, start + place + 14, len(plain))
    return bytes(data)


def deflate64(data: bytes) -> bytes:
    deflater = inflate64.Deflater()
    return bytes(deflater.deflate(data) + deflater.flush())


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        pytest.param(rar5_of(FILES), "application/vnd.rar", id="rar5"),
        pytest.param(rar4_of(FILES), "application/vnd.rar", id="rar4"),
        pytest.param(lha_of(FILES), "application/x-lzh-compressed", id="lha"),
    ],
)
def test_stored_members(examined: Examine, data: bytes, media_type: str) -> None:
    documents = examined(data)
    assert (documents[-1].status, documents[-1].media_type) == (Status.CONTAINER, media_type)
    assert {document.uri.rpartition("!")[2]: document.text for document in documents[:-1]} == {
        name: text.decode() for name, text in FILES
    }


def test_a_rar_member_under_a_password_is_encrypted(examined: Examine) -> None:
    member, outer = examined(rar4_of([("a.txt", WORDS)], flags=4))
    assert (member.status, member.chars, outer.status) == (Status.ENCRYPTED, 0, Status.CONTAINER)


@pytest.mark.parametrize(
    ("method", "pack"),
    [
        pytest.param(9, deflate64, id="deflate64"),
        pytest.param(93, zstandard.ZstdCompressor().compress, id="zstd"),
        pytest.param(95, lzma.compress, id="xz"),
    ],
)
def test_rare_methods_of_zip(examined: Examine, method: int, pack: Callable[[bytes], bytes]) -> None:
    plain = WORDS * 10_000
    first, second, _ = examined(zip_entry(method, pack(plain), plain))
    assert (first.status, first.text) == (Status.COMPLETE, plain.decode())
    assert second.text == "Bob Sample\n"


def test_a_damaged_entry_of_a_rare_method_takes_no_other_with_it(examined: Examine) -> None:
    plain = WORDS * 10_000
    first, second, _ = examined(zip_entry(95, lzma.compress(plain)[:-40], plain))
    assert first.status in (Status.PARTIAL, Status.FAILED)
    assert second.text == "Bob Sample\n"


@pytest.mark.parametrize(("method", "described"), [(6, "6 (implode)"), (98, "98 (PPMd)"), (77, "77")])
def test_a_method_that_nothing_reads_is_named(examined: Examine, method: int, described: str) -> None:
    first, second, _ = examined(zip_entry(method, b"\1\2\3", WORDS))
    assert (first.status, first.reason) == (Status.UNSUPPORTED, f"zip compression method {described}")
    assert second.text == "Bob Sample\n"

"""Zip file, even one with a damaged or missing directory -> an archive; its entry, of whatever method -> Content."""

import copy
import io
import lzma
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import IO, Protocol, cast

from core.records import Status
from extraction.content import Content
from extraction.format import Member, StoppedError
from extraction.lazy_import import LazyModule
from extraction.limits.budget import Budget
from extraction.readers.archives.zip_passwords import unlocked_entry
from extraction.readers.streams.read_member import embedded_content, read_member

MOST_ENTRIES = 10_000
_LOCAL = struct.Struct("<4s5H3I2H")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_END = struct.Struct("<4s4H2IH")
_NEXT = re.compile(rb"PK(?:\x03\x04|\x01\x02|\x07\x08)")
_SIZE_FOLLOWS = 0x8
_UNKNOWN_SIZE = 0xFFFFFFFE  # one less than the value that refers to an extra field
PIECE = 1 << 14  # a small piece can only expand so far
_LOCAL_HEADER = 30
_ENCRYPTED = 0x1 | 0x40 | 0x2000
_NAMES = {
    1: "shrink",
    **dict.fromkeys(range(2, 6), "reduce"),
    6: "implode",
    10: "PKWARE implode",
    18: "TERSE",
    94: "mp3",
    96: "jpeg",
    97: "WavPack",
    98: "PPMd",
}
LARGEST_SEARCHED = 1 << 28
_TEXT_IN_EXTRA = re.compile(rb"[\t\r\n\x20-\x7e\x80-\xff]{40,}")
_DESCRIPTOR = re.compile(rb"(?:PK\x07\x08)?.{12}(?=PK|\0*PK)|PK\x07\x08.{20}(?=PK)", re.S)
_LEAST_BETWEEN = 24  # bytes
_SIGNED = b"APK Sig Block 42"
_INFLATE64 = LazyModule("inflate64")
_ZSTANDARD = LazyModule("zstandard")


class Decompress(Protocol):
    def __call__(self, data: bytes, /) -> bytes: ...


_METHODS: dict[int, Callable[[], Decompress]] = {
    9: lambda: _INFLATE64.load().Inflater().inflate,
    20: lambda: _ZSTANDARD.load().ZstdDecompressor().decompressobj().decompress,
    93: lambda: _ZSTANDARD.load().ZstdDecompressor().decompressobj().decompress,
    95: lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ).decompress,
}


def opened(content: Content) -> tuple[zipfile.ZipFile, str]:
    """The archive, and what is wrong with it if it had to be repaired."""
    try:
        return zipfile.ZipFile(content.file()), ""
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, struct.error):
        entries = list(_entries(content.data))
        if not entries:
            raise
    directory = b"".join(entries)
    count = len(entries)
    end = _END.pack(b"PK\x05\x06", 0, 0, count, count, len(directory), len(content.data), 0)
    archive = zipfile.ZipFile(io.BytesIO(content.data + directory + end))
    for info in archive.infolist():
        if info.file_size == _UNKNOWN_SIZE:
            del info.CRC  # it is unknown, too
    return archive, "corrupt (BadZipFile)"


def open_entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget) -> Content:
    """Does not trust the sizes in the directory; the budget counts what really comes out."""
    if info.flag_bits & _ENCRYPTED:
        content = unlocked_entry(archive, info, budget)
        if content is None:
            raise StoppedError(Status.ENCRYPTED, "password-protected zip entry")
        return content
    unchecked = copy.copy(info)
    checksum: int | None = getattr(info, "CRC", None)
    if checksum is not None:
        del unchecked.CRC  # zipfile would drop the last piece if it is wrong, and most entries have only one
    try:
        stream = archive.open(unchecked)
    except NotImplementedError:
        return read_member(_EntryStream(archive, info), info.filename, budget)
    with stream:
        content = read_member(_Pieces(stream), info.filename, budget)
    if not content.fault and checksum is not None and zlib.crc32(content.data) != checksum:
        content.fault = "corrupt (BadZipFile)"
    return content


class _Pieces:
    """Returns what was read before a fault, then raises the fault."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = cast(zipfile.ZipExtFile, stream)

    def read(self, count: int, /) -> bytes:
        return self._stream.read1(count)


class _EntryStream:
    """An entry whose method the standard library does not know -> pieces of any length, in order."""

    def __init__(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> None:
        if info.compress_type not in _METHODS:
            raise StoppedError(Status.UNSUPPORTED, f"zip compression method {_described(info.compress_type)}")
        file = archive.fp
        if file is None:
            raise zipfile.BadZipFile
        file.seek(info.header_offset)
        header = file.read(_LOCAL_HEADER)
        if len(header) < _LOCAL_HEADER or header[:4] != b"PK\x03\x04":
            raise zipfile.BadZipFile
        self._file = file
        self._place = (
            info.header_offset
            + _LOCAL_HEADER
            + sum(int.from_bytes(header[start : start + 2], "little") for start in (26, 28))
        )
        self._left = info.compress_size
        self._checksum = 0
        self._expected = info.CRC
        self._decompress = _METHODS[info.compress_type]()

    def read(self, count: int, /) -> bytes:
        while self._left > 0:
            self._file.seek(self._place)
            packed = self._file.read(min(PIECE, self._left))
            if not packed:
                raise EOFError
            self._place += len(packed)
            self._left -= len(packed)
            if piece := self._decompress(packed):
                self._checksum = zlib.crc32(piece, self._checksum)
                return piece
        if self._checksum != self._expected:
            raise zipfile.BadZipFile
        return b""


def _described(method: int) -> str:
    return f"{method} ({_NAMES[method]})" if method in _NAMES else str(method)


def _entries(data: bytes) -> Iterator[bytes]:
    """Directory entries; a header inside the content of another entry does not belong to this archive."""
    place = data.find(b"PK\x03\x04")
    for _ in range(MOST_ENTRIES):
        if place < 0 or place + _LOCAL.size > len(data):
            return
        _, version, flags, method, time, date, checksum, packed, size, name_length, extra_length = _LOCAL.unpack_from(
            data, place
        )
        start = place + _LOCAL.size + name_length + extra_length
        if flags & _SIZE_FOLLOWS and not packed:
            following = _NEXT.search(data, start)
            packed, size = (following.start() if following else len(data)) - start, _UNKNOWN_SIZE
        elif start + packed > len(data):
            packed, size = len(data) - start, _UNKNOWN_SIZE
        if name_length > 0 and packed >= 0:
            name = data[place + _LOCAL.size : place + _LOCAL.size + name_length]
            fields = (
                b"PK\x01\x02",
                version,
                version,
                flags,
                method,
                time,
                date,
                checksum,
                packed,
                size,
                name_length,
                0,
                0,
                0,
                0,
                0,
                place,
            )
            yield _CENTRAL.pack(*fields) + name
        place = data.find(b"PK\x03\x04", max(place + 4, start + max(0, packed)))


def outside_directory(archive: zipfile.ZipFile, fault: str, content: Content, budget: Budget) -> Iterator[Member]:
    """Of an archive that was not repaired: then all its entries are listed."""
    if said := said_beside(archive):
        yield Member("comment", partial(embedded_content, said, budget), len(said))
    data = between_entries(archive, content.data) if content.descriptor is None and not fault else b""
    if data:
        yield Member("between entries", partial(embedded_content, data, budget), len(data))


def said_beside(archive: zipfile.ZipFile) -> bytes:
    """Comments of entries, and extra fields that are text."""
    texts: list[bytes] = []
    for info in archive.infolist():
        texts += [info.comment, *(run for run in _TEXT_IN_EXTRA.findall(info.extra))]
    return b"\n".join(dict.fromkeys(filter(None, texts)))


def between_entries(archive: zipfile.ZipFile, data: bytes) -> bytes:
    """What no entry of the directory covers: entries that were taken out of it, or anything else."""
    ends = sorted((info.header_offset, info) for info in archive.infolist()) if len(data) < LARGEST_SEARCHED else []
    place = 0 if data.startswith(b"PK\x03\x04") else ends[0][0] if ends else archive.start_dir
    pieces: list[bytes] = []
    for start, info in ends:
        if start > place:
            pieces.append(data[place:start])
        lengths = _LOCAL.unpack_from(data, start)[-2:] if start + _LOCAL.size <= len(data) else (0, 0)
        place = max(place, start + _LOCAL.size + sum(lengths) + info.compress_size)
        if info.flag_bits & _SIZE_FOLLOWS and (follows := _DESCRIPTOR.match(data, place)):
            place = follows.end()
    pieces.append(data[place : archive.start_dir])
    return b"".join(piece for piece in pieces if len(piece.strip(b"\0")) >= _LEAST_BETWEEN and _SIGNED not in piece)

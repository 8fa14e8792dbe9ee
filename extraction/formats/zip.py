"""Zip archive -> its members."""

import copy
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO, cast

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, StoppedError
from extraction.limits.budget import Budget
from extraction.readers.archives.zip_methods import EntryStream
from extraction.readers.archives.zip_repair import opened
from extraction.readers.streams.read_member import read_member

MEDIA_TYPES = frozenset({"application/zip", "application/java-archive"})
IS_ARCHIVE = True

_ENCRYPTED = 0x1 | 0x40 | 0x2000


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    archive, fault = opened(content)
    with archive:
        for info in archive.infolist():
            if not info.is_dir():
                yield Member(info.filename, lambda info=info: open_entry(archive, info, budget), info.file_size)  # type: ignore[misc]
    if fault:
        raise StoppedError(Status.PARTIAL, fault)


def open_entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget) -> Content:
    """The sizes that the directory states are not trusted; the budget counts what really comes out."""
    if info.flag_bits & _ENCRYPTED:
        raise StoppedError(Status.ENCRYPTED, "password-protected zip entry")
    unchecked = copy.copy(info)
    checksum: int | None = getattr(info, "CRC", None)
    if checksum is not None:
        del unchecked.CRC  # a wrong one would cost the last piece that was read, which for most entries is all
    try:
        stream = archive.open(unchecked)
    except NotImplementedError:
        return read_member(EntryStream(archive, info), info.filename, budget)
    with stream:
        content = read_member(_Pieces(stream), info.filename, budget)
    if not content.fault and checksum is not None and zlib.crc32(content.data) != checksum:
        content.fault = "corrupt (BadZipFile)"
    return content


class _Pieces:
    """What was read before a fault is handed out before the fault."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = cast(zipfile.ZipExtFile, stream)

    def read(self, count: int, /) -> bytes:
        return self._stream.read1(count)

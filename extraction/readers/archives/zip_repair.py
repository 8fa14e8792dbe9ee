"""Zip file with a damaged or missing directory -> an archive with a directory rebuilt from the local headers."""

import io
import re
import struct
import zipfile
from collections.abc import Iterator

from extraction.content import Content

MOST_ENTRIES = 10_000
_LOCAL = struct.Struct("<4s5H3I2H")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_END = struct.Struct("<4s4H2IH")
_NEXT = re.compile(rb"PK(?:\x03\x04|\x01\x02|\x07\x08)")
_SIZE_FOLLOWS = 0x8
_UNKNOWN_SIZE = 0xFFFFFFFE  # one less than the value that refers to an extra field


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

"""Rich text -> its body, headers, notes, comments, text boxes and properties; objects and pictures as members."""

import re
import struct
from collections.abc import Iterator

from core.records import Segment
from extraction.content import Content
from extraction.format import Member, StoppedError
from extraction.limits.budget import Budget
from extraction.readers.ole.embedded import file_member, native_file
from extraction.readers.rtf.pictures import rich_text_pictures
from extraction.readers.rtf.text import RtfText

MEDIA_TYPES = frozenset({"text/rtf", "text/x-rtf", "application/rtf"})
IS_ARCHIVE = False

_NOT_HEX = re.compile(r"[^0-9a-fA-F]+")
_EMBEDDED = 2


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    text = RtfText(content.data)
    stopped: StoppedError | None = None
    try:
        text.read()
    except StoppedError as error:
        stopped = error
    yield from text.segments()
    for number, written in enumerate(text.objects, 1):
        digits = _NOT_HEX.sub("", written)
        name, data = _object(bytes.fromhex(digits[: len(digits) // 2 * 2]))
        if data:
            yield file_member(name or f"object {number}", data, budget)
    yield from rich_text_pictures(text.pictures, budget)
    if stopped is not None:
        raise stopped


def _object(data: bytes) -> tuple[str, bytes]:
    """Version, kind, then class, topic and item as counted strings, then the size of the data and the data."""
    if len(data) < 8 or struct.unpack_from("<4xI", data)[0] != _EMBEDDED:
        return "", b""
    place = 8
    names: list[bytes] = []
    for _ in range(3):
        if place + 4 > len(data):
            return "", b""
        (length,) = struct.unpack_from("<I", data, place)
        names.append(data[place + 4 : place + 4 + length].rstrip(b"\0"))
        place += 4 + length
    if place + 4 > len(data):
        return "", b""
    (size,) = struct.unpack_from("<I", data, place)
    native = data[place + 4 : place + 4 + size]
    return native_file(native) if names[0] == b"Package" else ("", native)

"""Xar archive -> its regular files as members."""

import bz2
import io
import lzma
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from lxml import etree

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, StoppedError
from extraction.limits.budget import Budget
from extraction.readers.streams.read_member import Readable, read_member
from extraction.readers.xml.parse import safe_parser

MEDIA_TYPES = frozenset({"application/x-xar"})
IS_ARCHIVE = True

_HEADER = struct.Struct(">4sHHQQI")
_LARGEST_TABLE = 1 << 25


@dataclass(slots=True)
class _Inflated:
    """A zlib stream, piece by piece."""

    data: bytes
    state: "zlib._Decompress"

    def read(self, count: int, /) -> bytes:
        piece = self.state.decompress(self.data, count)
        self.data = self.state.unconsumed_tail
        if not piece and not self.state.eof:
            raise EOFError
        return piece


def _unpack_gzip(data: bytes) -> Readable:
    return _Inflated(data, zlib.decompressobj())


def _unpack_lzma(data: bytes) -> Readable:
    return lzma.open(io.BytesIO(data))


_ENCODINGS: dict[str, Callable[[bytes], Readable]] = {
    "application/octet-stream": io.BytesIO,
    "application/x-gzip": _unpack_gzip,
    "application/x-bzip2": lambda data: bz2.BZ2File(io.BytesIO(data)),
    "application/x-lzma": _unpack_lzma,
    "application/x-xz": _unpack_lzma,
}


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    data = content.data
    _, header, _, packed, _, _ = _HEADER.unpack_from(data)
    table = zlib.decompressobj().decompress(data[header : header + packed], _LARGEST_TABLE)
    budget.expand(len(table))
    heap = header + packed
    for entry in etree.fromstring(table, safe_parser()).iter("{*}file"):
        # The first of several hard links holds the data; the others, like symbolic links and folders, hold none.
        if entry.findtext("{*}type") == "file" or entry.find("{*}data") is not None:
            yield Member(_path(entry), partial(_open, entry, data, heap, budget))


def _path(entry: etree._Element) -> str:
    folders = [parent.findtext("{*}name") or "" for parent in entry.iterancestors("{*}file")]
    return "/".join([*reversed(folders), entry.findtext("{*}name") or ""])


def _open(entry: etree._Element, data: bytes, heap: int, budget: Budget) -> Content:
    place = entry.find("{*}data")
    if place is None:
        return Content(b"", 0)
    style = place.find("{*}encoding")
    encoding = (style.get("style") or "") if style is not None else "application/octet-stream"
    if encoding not in _ENCODINGS:
        raise StoppedError(Status.UNSUPPORTED, "compression of this xar member")
    start, length = heap + int(place.findtext("{*}offset") or 0), int(place.findtext("{*}length") or 0)
    stored = data[start : start + length] if start >= 0 and length >= 0 else b""
    content = read_member(_ENCODINGS[encoding](stored), "", budget)
    if len(stored) < length and not content.fault:
        content.fault = "corrupt (truncated)"
    return content

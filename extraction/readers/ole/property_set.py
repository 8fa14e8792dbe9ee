"""OLE property sets -> the texts that may be about people: titles, authors, companies, custom values."""

import codecs
import struct
from collections.abc import Iterator

from core.records import Segment
from extraction.readers.ole.compound import Compound

_SUMMARY = bytes.fromhex("e0859ff2f94f6810ab9108002b27b3d9")
_DOCUMENT = bytes.fromhex("02d5cdd59c2e1b10939708002b2cf9ae")
_TELLING = {_SUMMARY: frozenset({2, 3, 4, 5, 6, 8}), _DOCUMENT: frozenset({2, 14, 15})}
_STREAMS = ("\x05SummaryInformation", "\x05DocumentSummaryInformation")
_NARROW, _WIDE = 30, 31
_MOST = 10_000


def property_texts(data: bytes) -> Iterator[str]:
    """Offsets are bounded by the stream and each property is read once, so no set can take long."""
    if len(data) < 48:
        return
    sets = min(int.from_bytes(data[24:28], "little"), 2)
    for number in range(sets):
        place = 28 + 20 * number
        start = int.from_bytes(data[place + 16 : place + 20], "little")
        yield from _set_texts(data[start:], _TELLING.get(data[place : place + 16]))


def _set_texts(data: bytes, wanted: frozenset[int] | None) -> Iterator[str]:
    if len(data) < 8:
        return
    count = min(int.from_bytes(data[4:8], "little"), (len(data) - 8) // 8, _MOST)
    entries = struct.unpack_from(f"<{count * 2}I", data, 8)
    properties = dict(zip(entries[::2], entries[1::2], strict=True))
    encoding = _encoding(data, properties.get(1, 0))
    for identifier, offset in properties.items():
        if identifier > 1 and (wanted is None or identifier in wanted):
            text = _string(data, offset, encoding).strip()
            if text:
                yield text


def _encoding(data: bytes, offset: int) -> str:
    page = int.from_bytes(data[offset + 4 : offset + 6], "little") if offset else 0
    return code_page(page)


def code_page(number: int) -> str:
    if number == 1200:
        return "utf-16-le"
    name = {65001: "utf-8", 10000: "mac_roman", 32768: "mac_roman", 936: "gbk", 949: "cp949"}.get(number, f"cp{number}")
    try:
        return codecs.lookup(name).name
    except (LookupError, OSError):
        return "cp1252"


def _string(data: bytes, offset: int, encoding: str) -> str:
    kind = int.from_bytes(data[offset : offset + 4], "little")
    length = int.from_bytes(data[offset + 4 : offset + 8], "little")
    if kind == _WIDE:
        text = data[offset + 8 : offset + 8 + length * 2].decode("utf-16-le", "replace")
    elif kind == _NARROW:
        text = data[offset + 8 : offset + 8 + length].decode(encoding, "replace")
    else:
        return ""
    return text.partition("\0")[0]


def summary(compound: Compound) -> Iterator[Segment]:
    texts = dict.fromkeys(text for name in _STREAMS for text in property_texts(compound.read(name)))
    if texts:
        yield Segment("properties", "\n".join(texts))

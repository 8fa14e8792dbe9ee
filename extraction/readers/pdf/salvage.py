"""PDF that no reader opens, such as a truncated one -> the text that its streams contain in plain letters."""

import re
import zlib
from collections.abc import Iterator

from core.records import Segment
from extraction.limits.budget import Budget

MOST_STREAMS = 20_000
LONGEST_STREAM = 4_000_000
_STREAM = re.compile(rb"stream\r?\n")
_TOKEN = re.compile(rb"\(((?:[^()\\]|\\.)*)\)|(-?\d+\.?\d*)|(T[dDm*]|ET|['\x22])", re.S)
_ESCAPE = re.compile(rb"\\([0-7]{1,3}|.)", re.S)
_LETTERS = {b"n": b"\n", b"r": b"\n", b"t": b"\t", b"b": b"", b"f": b""}
_WIDE_GAP = -200.0  # in thousandths of the font size; a wider gap is a space between words


def salvaged(data: bytes, budget: Budget) -> Iterator[Segment]:
    for count, match in enumerate(_STREAM.finditer(data), 1):
        if count > MOST_STREAMS:
            return
        shown = shown_by(_inflated(data[match.end() : match.end() + LONGEST_STREAM], budget))
        if shown:
            yield Segment(f"stream {count}", shown)


def _inflated(raw: bytes, budget: Budget) -> bytes:
    """Keeps what comes before a fault: the last stream of a truncated file is incomplete."""
    unpacker = zlib.decompressobj()
    try:
        page = unpacker.decompress(raw, LONGEST_STREAM)
    except zlib.error:
        page = raw.partition(b"endstream")[0]
    budget.expand(len(page))
    return page


def shown_by(page: bytes) -> str:
    """What drawing commands show; leaves out text in fonts with their own encoding, which is unreadable here."""
    if b"BT" not in page:
        return ""
    pieces: list[bytes] = []
    for text, number, move in _TOKEN.findall(page[page.index(b"BT") :]):
        if move:
            pieces.append(b"\n")
        elif number:
            pieces.append(b" " if float(number) < _WIDE_GAP else b"")
        else:
            pieces.append(_ESCAPE.sub(_unescaped, text))
    shown = re.sub(r"\s*\n\s*", "\n", b"".join(pieces).decode("cp1252", "replace")).strip()
    odd = sum(not character.isprintable() and character != "\n" for character in shown)
    return shown if odd * 20 <= len(shown) else ""


def _unescaped(match: re.Match[bytes]) -> bytes:
    escaped = match.group(1)
    if escaped[:1].isdigit():
        return bytes([int(escaped, 8) & 0xFF])
    return _LETTERS.get(escaped, escaped)

"""FITS file -> the headers of all its parts and the text in its tables; its pixels are not read."""

import math
import re
from collections.abc import Iterator

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import StoppedError
from extraction.formats.binary import string_segments
from extraction.identify.programs import FITS
from extraction.limits.budget import Budget
from extraction.readers.text.decode import clean

MEDIA_TYPES = frozenset({FITS})
IS_ARCHIVE = False

_BLOCK, _CARD = 2880, 80
_NUMBER = re.compile(r"=\s*(-?\d{1,18})\s*(?:/|$)")
_CUT = "corrupt (truncated)"
_TABLES = ("TABLE", "BINTABLE", "A3DTABLE")


def extract(content: Content, budget: Budget) -> Iterator[Segment]:
    data = content.data
    place, number, has_pixels = 0, 0, False
    while place < len(data) and data[place : place + _BLOCK].strip(b"\0 "):
        cards, place = _header(data, place)
        number += 1
        yield Segment(f"header {number}", clean("\n".join(cards)))
        length = _data_bytes(cards)
        if _is_table(cards):
            yield from string_segments(data[place : place + length])
        has_pixels |= length > 0 and not _is_table(cards)
        if place + length > len(data):
            raise StoppedError(Status.PARTIAL, _CUT)
        place += math.ceil(length / _BLOCK) * _BLOCK
    if has_pixels:
        raise StoppedError(Status.PARTIAL, "picture not read (pixels of a FITS file)")


def _header(data: bytes, place: int) -> tuple[list[str], int]:
    """Its cards without the space around them, and where the data after it begins."""
    cards: list[str] = []
    while place < len(data):
        block = data[place : place + _BLOCK].decode("latin-1")
        place += _BLOCK
        for start in range(0, len(block), _CARD):
            card = block[start : start + _CARD].rstrip()
            if card == "END":
                return cards, place
            if card:
                cards.append(card)
    raise StoppedError(Status.PARTIAL, _CUT)


def _data_bytes(cards: list[str]) -> int:
    axes = [_value(cards, f"NAXIS{axis}", 0) for axis in range(1, min(_value(cards, "NAXIS", 0), 999) + 1)]
    if axes and axes[0] == 0:
        axes = axes[1:]  # random groups begin so
    elements = math.prod(axes) if axes else 0
    bits = abs(_value(cards, "BITPIX", 8))
    return max(0, bits // 8 * _value(cards, "GCOUNT", 1) * (_value(cards, "PCOUNT", 0) + elements))


def _is_table(cards: list[str]) -> bool:
    return cards[0].startswith("XTENSION") and any(f"'{name}" in cards[0] for name in _TABLES) if cards else False


def _value(cards: list[str], name: str, default: int) -> int:
    for card in cards:
        if card[:8].rstrip() == name and (match := _NUMBER.match(card[8:])):
            return int(match[1])
    return default

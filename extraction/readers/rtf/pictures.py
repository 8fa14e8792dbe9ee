"""Groups of pictures in RTF -> the pictures as members."""

import re
from collections.abc import Iterable, Iterator

from extraction.format import Member
from extraction.limits.budget import Budget
from extraction.readers.ole.embedded import file_member
from extraction.readers.pictures.bitmaps import bitmap_file

_BINARY = re.compile(rb"\\bin(\d{1,10}) ?")
_BITMAP = re.compile(rb"\\dibitmap\d*")
_GROUP = re.compile(rb"\{[^{}]*\}")
_WORD = re.compile(rb"\\[a-zA-Z]+-?\d* ?|\\\*")
_NOT_HEX = re.compile(rb"[^0-9a-fA-F]+")


def rich_text_pictures(groups: Iterable[bytes], budget: Budget) -> Iterator[Member]:
    for number, group in enumerate(groups, 1):
        data = _data(group)
        if data:
            yield file_member(f"picture {number}", bitmap_file(data) if _BITMAP.search(group[:400]) else data, budget)


def _data(group: bytes) -> bytes:
    binary = _BINARY.search(group)
    if binary is not None:
        return group[binary.end() : binary.end() + int(binary.group(1))]
    digits = _NOT_HEX.sub(b"", _WORD.sub(b"", _GROUP.sub(b"", group)))
    return bytes.fromhex(digits[: len(digits) // 2 * 2].decode("ascii"))

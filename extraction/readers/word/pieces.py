"""WordDocument and table streams -> the characters of each part of a Word 6 to 2003 document."""

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from core.records import Status
from extraction.format import StoppedError
from extraction.limits.budget import Budget, LimitError
from extraction.readers.ole.compound import Compound
from extraction.readers.text.decode import detect

PARTS = (
    "body",
    "footnotes",
    "headers and footers",
    "macros",
    "comments",
    "endnotes",
    "text boxes",
    "header text boxes",
)
_WORD_8 = 193  # the first nFib of Word 97; smaller ones are Word 6 and 95
_COMPLEX, _ENCRYPTED, _TABLE_1, _WIDE = 0x0004, 0x0100, 0x0200, 0x1000
_COMPRESSED = 0x40000000
_WESTERN = "cp1252"
_SINGLE_BYTE = ("cp125", "koi8", "cp866", "mac")
_BEYOND_ASCII = bytes(range(128, 256))
_CONTROLS = bytes(range(32))  # with the marks of cells and fields it would not look like text
# Windows language number -> the code page in which old documents of that language are written.
_BY_PRIMARY_LANGUAGE = {
    0x01: "cp1256",
    0x02: "cp1251",
    0x05: "cp1250",
    0x08: "cp1253",
    0x0D: "cp1255",
    0x0E: "cp1250",
    0x11: "cp932",
    0x12: "cp949",
    0x15: "cp1250",
    0x18: "cp1250",
    0x19: "cp1251",
    0x1A: "cp1250",
    0x1B: "cp1250",
    0x1E: "cp874",
    0x1F: "cp1254",
    0x22: "cp1251",
    0x23: "cp1251",
    0x24: "cp1250",
    0x25: "cp1257",
    0x26: "cp1257",
    0x27: "cp1257",
    0x2A: "cp1258",
    0x2F: "cp1251",
}
_TRADITIONAL_CHINESE = frozenset({0x0404, 0x0C04, 0x1404})


class LockedError(Exception):
    """A password opens the document."""


@dataclass(frozen=True, slots=True, repr=False)
class WordFile:
    main: bytes
    table: bytes
    is_8: bool
    is_complex: bool
    is_wide: bool  # whether a Word 95 file has two bytes per character
    code_page: str


def open_word(compound: Compound) -> WordFile:
    main = compound.read("WordDocument")
    if len(main) < 0x60:
        raise StoppedError(Status.FAILED, "corrupt (no Word header)")
    version, language, flags = struct.unpack_from("<2xH2xHxxH", main)
    if flags & _ENCRYPTED:
        raise LockedError
    is_8 = version >= _WORD_8
    table = main
    if is_8:
        first, second = ("1Table", "0Table") if flags & _TABLE_1 else ("0Table", "1Table")
        table = compound.read(first) or compound.read(second)
    start, end = struct.unpack_from("<II", main, 0x18)
    return WordFile(
        main, table, is_8, bool(flags & _COMPLEX), bool(flags & _WIDE), _code_page(language, main[start:end])
    )


def _code_page(language: int, text: bytes) -> str:
    """The code page of the language, unless a Western one has too many letters beyond ASCII."""
    stated = _code_page_of_language(language)
    beyond = len(text) - len(text.translate(None, _BEYOND_ASCII))
    if stated != _WESTERN or beyond * 3 < len(re.sub(rb"[^A-Za-z]", b"", text)) + beyond:
        return stated
    guess = detect(text.translate(None, _CONTROLS))
    return guess if guess.startswith(_SINGLE_BYTE) else stated


def _code_page_of_language(language: int) -> str:
    if language & 0x3FF == 0x04:
        return "cp950" if language in _TRADITIONAL_CHINESE else "gbk"
    return _BY_PRIMARY_LANGUAGE.get(language & 0x3FF, "cp1252")


def part_texts(word: WordFile, budget: Budget) -> Iterator[tuple[str, str]]:
    """The pieces together form one text, in which the parts follow each other."""
    start = 0x4C if word.is_8 else 0x34
    lengths = struct.unpack_from("<8i", word.main.ljust(start + 32, b"\0"), start)
    pieces: list[str] = []
    reached: LimitError | None = None
    try:
        pieces.extend(_pieces(word, budget, sum(max(0, length) for length in lengths)))
    except LimitError as limit:
        reached = limit
    text = "".join(pieces)
    place = 0
    for name, length in zip(PARTS, lengths, strict=True):
        length = max(0, length)
        if text[place : place + length]:
            yield name, text[place : place + length]
        place += length
    if reached is not None:
        raise reached


def _pieces(word: WordFile, budget: Budget, wanted: int) -> Iterator[str]:
    table = _piece_table(word) if word.is_8 or word.is_complex else b""
    count = (len(table) - 4) // 12
    if count < 1:
        yield _without_pieces(word, wanted)
        return
    limits = struct.unpack_from(f"<{count + 1}I", table)
    for number in range(count):
        length = min(limits[number + 1], wanted) - limits[number]
        if length <= 0:
            continue
        (place,) = struct.unpack_from("<2xI", table, 4 * (count + 1) + 8 * number)
        piece = _piece(word, place, length)
        budget.expand(len(piece))
        yield piece if len(piece) == length else piece.ljust(length)[:length]


def _piece(word: WordFile, place: int, length: int) -> str:
    if not word.is_8 and not word.is_wide:
        return _decoded(word.main[place : place + length], word.code_page)
    if word.is_8 and place & _COMPRESSED:
        start = (place & ~_COMPRESSED) // 2
        return _decoded(word.main[start : start + length], _WESTERN)
    raw = word.main[place : place + length * 2]
    return _one_for_one(raw)


def _one_for_one(raw: bytes) -> str:
    """Word counts UTF-16 units, so a surrogate pair must stay two characters until the parts are cut."""
    text = raw.decode("utf-16-le", "replace")
    if len(text) * 2 == len(raw):
        return text
    units = struct.unpack(f"<{len(raw) // 2}H", raw[: len(raw) // 2 * 2])
    return "".join(map(chr, units))


def _decoded(raw: bytes, code_page: str) -> str:
    text = raw.decode(code_page, "replace")
    return text.ljust(len(raw)) if len(text) < len(raw) else text


def _without_pieces(word: WordFile, wanted: int) -> str:
    start, end = struct.unpack_from("<II", word.main, 0x18)
    raw = word.main[start:end]
    if word.is_wide and raw[1::2].count(0) * 2 > len(raw) // 2:
        return _one_for_one(raw)[:wanted]
    return _decoded(raw, word.code_page)[:wanted]


def _piece_table(word: WordFile) -> bytes:
    place = 0x1A2 if word.is_8 else 0x160
    if len(word.main) < place + 8:
        return b""
    start, size = struct.unpack_from("<II", word.main, place)
    data = word.table[start : start + size]
    place = 0
    while place + 5 <= len(data):
        kind = data[place]
        if kind == 1:
            place += 3 + int.from_bytes(data[place + 1 : place + 3], "little")
        elif kind == 2:
            return data[place + 5 : place + 5 + int.from_bytes(data[place + 1 : place + 5], "little")]
        else:
            break
    return b""

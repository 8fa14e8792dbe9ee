"""Lotus 1-2-3 sheet (WKS, WK1, WK3, WK4, 123) -> its cells by place, and the strings of everything else in it."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from extraction.readers.text.decode import clean
from extraction.readers.text.strings import narrow_runs

_INTEGER, _NUMBER, _LABEL, _FORMULA, _RESULT = 0x0D, 0x0E, 0x0F, 0x10, 0x33
_LATER_LABEL, _LATER_NUMBER, _LATER_SMALL, _LATER_FORMULA, _LATER_RESULT = 0x16, 0x17, 0x18, 0x19, 0x1A
_LATER_DOUBLE = 0x27
_EARLY = frozenset({_INTEGER, _NUMBER, _LABEL, _FORMULA, _RESULT})
_LATER = frozenset({_LATER_LABEL, _LATER_NUMBER, _LATER_SMALL, _LATER_FORMULA, _LATER_RESULT, _LATER_DOUBLE})
_ALIGNMENT = "'\"^\\|"  # the first character of a label says where it stands
_FACTORS = (5_000.0, 500.0, 0.05, 0.005, 0.0005, 0.00005, 1 / 16, 1 / 64)


@dataclass(frozen=True, slots=True, repr=False)
class Cell:
    sheet: int
    row: int
    column: int
    value: str | float


def cells_and_strings(data: bytes) -> tuple[list[Cell], str]:
    """Raises ValueError where the chain of records is broken."""
    is_later = data[2:4] == b"\x1a\0"
    cells: list[Cell] = []
    others: list[str] = []
    for kind, body in _records(data):
        cell = _later_cell(kind, body) if is_later else _early_cell(kind, body)
        if cell is not None:
            cells.append(cell)
        elif kind not in (_LATER if is_later else _EARLY) and (runs := narrow_runs(body)):
            others.append(runs)
    return cells, "\n".join(others)


def _records(data: bytes) -> Iterator[tuple[int, bytes]]:
    place = 0
    while place + 4 <= len(data):
        kind, length = struct.unpack_from("<HH", data, place)
        body = data[place + 4 : place + 4 + length]
        if len(body) < length:
            raise ValueError
        yield kind, body
        if kind == 1:  # the end
            return
        place += 4 + length
    raise ValueError


def _early_cell(kind: int, body: bytes) -> Cell | None:
    if kind not in _EARLY or len(body) < 6:
        return None
    column, row = struct.unpack_from("<HH", body, 1)
    value: str | float | None = None
    if kind in (_LABEL, _RESULT):
        value = _label(body[5:])
    elif kind == _INTEGER and len(body) >= 7:
        value = int.from_bytes(body[5:7], "little", signed=True)
    elif len(body) >= 13:
        value = float(struct.unpack_from("<d", body, 5)[0])
    return None if value is None else Cell(0, row, column, value)


def _later_cell(kind: int, body: bytes) -> Cell | None:
    if kind not in _LATER or len(body) < 6:
        return None
    row, sheet, column = struct.unpack_from("<HBB", body)
    value: str | float | None = None
    if kind in (_LATER_LABEL, _LATER_RESULT):
        value = _label(body[4:])
    elif kind == _LATER_SMALL:
        value = _small(int.from_bytes(body[4:6], "little", signed=True))
    elif kind == _LATER_DOUBLE and len(body) >= 12:
        value = float(struct.unpack_from("<d", body, 4)[0])
    elif len(body) >= 14:
        value = _extended(body[4:14])
    return None if value is None else Cell(sheet, row, column, value)


def _label(raw: bytes) -> str:
    text = raw.partition(b"\0")[0].decode("cp850")
    return clean(text[1:] if text[:1] in _ALIGNMENT else text)


def _small(number: int) -> float:
    """Fifteen bits, or twelve of them and a factor."""
    return (number >> 4) * _FACTORS[number >> 1 & 7] if number & 1 else number >> 1


def _extended(raw: bytes) -> float | None:
    mantissa, exponent = int.from_bytes(raw[:8], "little"), int.from_bytes(raw[8:], "little")
    power = (exponent & 0x7FFF) - 16_383 - 63
    if not -1_000 < power < 900:
        return None
    return mantissa * 2.0**power * (-1 if exponent & 0x8000 else 1)

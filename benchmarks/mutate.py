"""A file and a die -> the same file, broken as bad disks, torn transfers and attackers break files."""

import struct
from collections.abc import Callable
from random import Random

_EDGE_LENGTHS = (0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)


def mutate(data: bytes, dice: Random) -> bytes:
    """One to four of the ways below, one after the other."""
    broken = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 2, 3, 4))):
        if not broken:
            break
        dice.choice(_WAYS)(broken, dice)
    return bytes(broken)


def _span(data: bytearray, dice: Random) -> tuple[int, int]:
    start = dice.randrange(len(data))
    longest = max(1, min(len(data) - start, dice.choice((4, 64, 1024, len(data)))))
    return start, start + dice.randint(1, longest)


def _flip_bits(data: bytearray, dice: Random) -> None:
    for _ in range(dice.choice((1, 8, 64))):
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)


def _truncate(data: bytearray, dice: Random) -> None:
    del data[dice.randrange(len(data)) :]


def _swap_chunks(data: bytearray, dice: Random) -> None:
    (start, end), (other, _) = _span(data, dice), _span(data, dice)
    length = min(end - start, len(data) - other)
    data[start : start + length], data[other : other + length] = (
        data[other : other + length],
        data[start : start + length],
    )


def _zero(data: bytearray, dice: Random) -> None:
    start, end = _span(data, dice)
    data[start:end] = bytes(end - start)


def _duplicate(data: bytearray, dice: Random) -> None:
    start, end = _span(data, dice)
    place = dice.randrange(len(data) + 1)
    data[place:place] = data[start:end] * dice.choice((1, 1, 3, 20)) if end - start < 4096 else data[start:end]


def _edit_length(data: bytearray, dice: Random) -> None:
    """Lengths, counts and offsets stand in two or four bytes, in either order."""
    width, order = dice.choice((("H", 2), ("I", 4))), dice.choice("<>")
    place = dice.randrange(len(data))
    value = dice.choice(_EDGE_LENGTHS) & ((1 << 8 * width[1]) - 1)
    packed = struct.pack(order + width[0], value)
    data[place : place + len(packed)] = packed


def _edit_digits(data: bytearray, dice: Random) -> None:
    """Where a number stands in decimal digits, as in PDF and mail, it becomes a huge or a negative one."""
    digits = [place for place in range(len(data)) if 48 <= data[place] <= 57] if len(data) < 100_000 else []
    if digits:
        place = dice.choice(digits)
        data[place : place + 1] = dice.choice((b"-1", b"0", b"99999999999", b"4294967296"))


_WAYS: tuple[Callable[[bytearray, Random], None], ...] = (
    _flip_bits,
    _flip_bits,
    _truncate,
    _swap_chunks,
    _zero,
    _duplicate,
    _edit_length,
    _edit_length,
    _edit_digits,
)

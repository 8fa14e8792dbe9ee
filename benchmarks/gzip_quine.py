"""Nothing -> a gzip file that unpacks to itself, by Russ Cox's construction of literal and repeat blocks."""

import struct
import zlib

_NAME = b"quin\0"
_HEADER = b"\x1f\x8b\x08\x08" + b"\0" * 4 + b"\x02\xff" + _NAME
_LAST_BLOCK = b"\x01\0\0\xff\xff"


def gzip_quine() -> bytes:
    """The checksum is part of what it sums up; it is an affine function of itself, so it is found by linear algebra."""
    constant = _checksum(0)
    rows = [(_checksum(1 << bit) ^ constant) ^ (1 << bit) for bit in range(32)]
    return _assemble(_solve(rows, constant))


def _checksum(assumed: int) -> int:
    return zlib.crc32(_assemble(assumed))


def _assemble(checksum: int) -> bytes:
    size = len(_code(b"\0" * 13))
    return _code(_LAST_BLOCK + struct.pack("<II", checksum, size))


def _code(suffix: bytes) -> bytes:
    """Each line prints what it stands for, and the whole prints itself; all blocks are five bytes long."""
    four = _repeat(20)
    to_prefix, to_suffix = _literal(20), _literal(5 + len(suffix))
    code = _HEADER + to_prefix + _HEADER + to_prefix
    code += four + _literal(5) + four + _literal(5) + _literal(5)
    code += _literal(20) + four + _literal(5) + _literal(5) + _literal(20) + four
    code += _literal(20) + four + _literal(20) + four + _literal(20) + four
    code += _literal(20) + four + _literal(0) + _literal(0) + to_suffix
    code += four + _literal(0) + _literal(0) + to_suffix
    again = _repeat(5 + len(suffix))
    return code + again + suffix + again + suffix


def _literal(length: int) -> bytes:
    return struct.pack("<BHH", 0, length, length ^ 0xFFFF)


def _repeat(count: int) -> bytes:
    """The last `count` bytes once more, as two matches in a block of exactly forty bits; for counts from 17 to 20."""
    bits = "010"  # not the last block; fixed codes, lowest bit first
    for length in (10, count - 10):
        bits += f"{length - 3 + 1:07b}" + f"{8:05b}" + f"{count - 17:03b}"[::-1]
    bits += "0" * 7
    assert len(bits) == 40
    return bytes(int(bits[start : start + 8][::-1], 2) for start in range(0, 40, 8))


def _solve(columns: list[int], target: int) -> int:
    """Bits x with the exclusive or of the chosen columns equal to the target."""
    basis: list[tuple[int, int]] = []
    for bit, column in enumerate(columns):
        chosen = 1 << bit
        for vector, made_of in basis:
            if column ^ vector < column:
                column, chosen = column ^ vector, chosen ^ made_of
        if column:
            basis.append((column, chosen))
            basis.sort(reverse=True)
    answer = 0
    for vector, made_of in basis:
        if target ^ vector < target:
            target, answer = target ^ vector, answer ^ made_of
    if target:
        raise ArithmeticError("no checksum sums up itself")
    return answer

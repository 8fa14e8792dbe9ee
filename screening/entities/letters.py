"""The letters of a word -> its attributes: the word, its beginnings and endings; or, faster, their hashes."""

from functools import lru_cache
from zlib import crc32

from screening.entities.hashes import attribute_hashes

Letters = tuple[
    str, ...
]  # the plain form, and the beginning of the shape unless it is hidden that the word was met before

_WORD, _LAST = crc32(b"w="), crc32(b"x1=")
_BEGINNINGS = crc32(b"p2="), crc32(b"p3="), crc32(b"p4=")
_ENDINGS = crc32(b"x2="), crc32(b"x3="), crc32(b"x4=")


def letter_attributes(letters: Letters) -> tuple[str, ...]:
    plain, *shape = letters
    last = f"x1={plain[-1:]}"
    whole = (f"w={plain}", f"sw={shape[0]}{plain}") if shape else ()
    if len(plain) < 3:
        return *whole, last
    ends = f"p2={plain[:2]}", f"x2={plain[-2:]}", f"p3={plain[:3]}", f"x3={plain[-3:]}"
    if len(plain) < 5:
        return *whole, *ends, last
    return *whole, *ends, f"p4={plain[:4]}", f"x4={plain[-4:]}", last


def letter_hashes(letters: Letters) -> list[int]:
    """A checksum goes on from that of the attribute's name."""
    plain, *shape = letters
    if not (shape and plain.isascii()):
        return attribute_hashes(letter_attributes(letters))
    raw = plain.encode()
    hashes = [crc32(raw, _WORD), crc32(raw, _shaped(shape[0])), crc32(raw[-1:], _LAST)]
    if len(raw) > 2:
        hashes += (
            crc32(raw[:2], _BEGINNINGS[0]),
            crc32(raw[-2:], _ENDINGS[0]),
            crc32(raw[:3], _BEGINNINGS[1]),
            crc32(raw[-3:], _ENDINGS[1]),
        )
        if len(raw) > 4:
            hashes += crc32(raw[:4], _BEGINNINGS[2]), crc32(raw[-4:], _ENDINGS[2])
    return hashes


@lru_cache(maxsize=64)
def _shaped(shape: str) -> int:
    return crc32(f"sw={shape}".encode())

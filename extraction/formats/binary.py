"""Bytes of no known type -> the runs of letters in them, narrow and wide."""

import re
import zlib
from collections.abc import Iterator

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, StoppedError
from extraction.limits.budget import Budget
from extraction.media_types import UNKNOWN

# Drawings that keep their words uncompressed.
MEDIA_TYPES = frozenset({UNKNOWN, "image/vnd.dwg", "image/wmf", "image/x-wmf", "image/emf", "image/x-emf"})
IS_ARCHIVE = False

STRINGS = "strings of an unknown binary type"
CHUNK = 1 << 18
_OVERLAP = 1 << 10  # a run that one chunk cuts is complete in the next
_SAMPLE = 1 << 14
_NARROW = re.compile(rb"(?:[\t\x20-\x7e]|[\xc3-\xc5][\x80-\xbf]){6,}")
_WIDE = re.compile(rb"(?:[\t\x20-\x7e\xa0-\xff]\x00|[\x01-\x7f]\x01){6,}")
_WIDE_BIG_ENDIAN = re.compile(rb"(?:\x00[\t\x20-\x7e\xa0-\xff]|\x01[\x01-\x7f]){6,}")


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    got = False
    for segment in _segments(content.data):
        got = True
        yield segment
    if got:
        raise StoppedError(Status.PARTIAL, STRINGS)
    raise StoppedError(Status.UNSUPPORTED, "no text in an unknown binary type")


def _segments(data: bytes) -> Iterator[Segment]:
    for start in range(0, len(data), CHUNK):
        chunk = data[start : start + CHUNK + _OVERLAP]
        if chunk.count(chunk[:1]) == len(chunk) or _is_packed(chunk[:CHUNK]):
            continue
        narrow = _runs(_NARROW, "utf-8", chunk)
        if narrow:
            yield Segment("strings", narrow)
        # Wide text read in the wrong byte order is wide text again, except at the ends of its runs.
        wide = max(_runs(_WIDE, "utf-16-le", chunk), _runs(_WIDE_BIG_ENDIAN, "utf-16-be", chunk), key=len)
        if wide:
            yield Segment("wide strings", wide)


def _runs(pattern: re.Pattern[bytes], encoding: str, chunk: bytes) -> str:
    return "\n".join(
        match.group().decode(encoding, "replace") for match in pattern.finditer(chunk) if match.start() < CHUNK
    )


def _is_packed(chunk: bytes) -> bool:
    """Data that does not compress is compressed, encrypted or random: its runs of letters are accidental."""
    middle = max(0, len(chunk) // 2 - _SAMPLE // 2)
    sample = chunk[middle : middle + _SAMPLE]
    return len(sample) >= 1_000 and len(zlib.compress(sample, 1)) > 0.97 * len(sample)

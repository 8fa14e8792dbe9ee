"""Bytes of no known type -> the runs of letters in them, narrow and wide."""

import zlib
from collections.abc import Iterator

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, StoppedError
from extraction.limits.budget import Budget
from extraction.media_types import UNKNOWN
from extraction.readers.archives.brotli import brotli_stream
from extraction.readers.archives.compressed import inner_name, members_of_stream
from extraction.readers.text.strings import narrow_runs, wide_runs

# Drawings that keep their words uncompressed.
MEDIA_TYPES = frozenset({UNKNOWN, "image/vnd.dwg"})
IS_ARCHIVE = False

STRINGS = "strings of an unknown binary type"
CHUNK = 1 << 18
_OVERLAP = 1 << 10  # a run that one chunk cuts is complete in the next
_SAMPLE = 1 << 14


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    if content.name.lower().endswith(".br") and (unpacked := brotli_stream(content.data)) is not None:
        yield from members_of_stream(unpacked, inner_name(content), budget)
        return
    got = False
    for segment in string_segments(content.data):
        got = True
        yield segment
    if got:
        raise StoppedError(Status.PARTIAL, STRINGS)
    raise StoppedError(Status.UNSUPPORTED, "no text in an unknown binary type")


def string_segments(data: bytes) -> Iterator[Segment]:
    for start in range(0, len(data), CHUNK):
        chunk = data[start : start + CHUNK + _OVERLAP]
        if chunk.count(chunk[:1]) == len(chunk) or _is_packed(chunk[:CHUNK]):
            continue
        narrow = narrow_runs(chunk, CHUNK)
        if narrow:
            yield Segment("strings", narrow)
        wide = wide_runs(chunk, CHUNK)
        if wide:
            yield Segment("wide strings", wide)


def _is_packed(chunk: bytes) -> bool:
    """Data that does not compress is compressed, encrypted or random: its runs of letters are accidental."""
    middle = max(0, len(chunk) // 2 - _SAMPLE // 2)
    sample = chunk[middle : middle + _SAMPLE]
    return len(sample) >= 1_000 and len(zlib.compress(sample, 1)) > 0.97 * len(sample)

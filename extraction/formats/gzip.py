"""Gzip file -> the one file within it, or the members of the tar within it."""

import gzip
from collections.abc import Iterator

from core.records import Segment
from extraction.content import Content
from extraction.format import Member
from extraction.limits.budget import Budget
from extraction.readers.archives.compressed import inner_name, members_of_stream

MEDIA_TYPES = frozenset({"application/gzip"})
IS_ARCHIVE = True
STREAMED = True

_HAS_EXTRA, _HAS_NAME = 4, 8


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    with gzip.GzipFile(fileobj=content.file()) as stream:
        yield from members_of_stream(stream, stored_name(content.data) or inner_name(content), budget)


def stored_name(data: bytes) -> str:
    flags = data[3] if len(data) > 10 else 0
    start = 10
    if flags & _HAS_EXTRA:
        start += 2 + int.from_bytes(data[10:12], "little")
    if not flags & _HAS_NAME:
        return ""
    return data[start : start + 1000].partition(b"\0")[0].decode("latin-1")

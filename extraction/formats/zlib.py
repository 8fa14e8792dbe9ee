"""Zlib stream -> the one file within it, or the members of the tar within it."""

from collections.abc import Iterator

from core.records import Segment
from extraction.content import Content
from extraction.format import Member
from extraction.limits.budget import Budget
from extraction.readers.archives.compressed import inner_name, members_of_stream
from extraction.readers.archives.zlib_stream import ZlibStream

MEDIA_TYPES = frozenset({"application/zlib"})
IS_ARCHIVE = True


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    yield from members_of_stream(ZlibStream(content.data), inner_name(content), budget)

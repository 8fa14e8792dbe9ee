"""Xz or lzma file -> the one file within it, or the members of the tar within it; what lies behind its end."""

import lzma
from collections.abc import Iterator

from core.records import Segment
from extraction.content import Content
from extraction.format import Member
from extraction.limits.budget import Budget
from extraction.readers.archives.chained_streams import ChainedStreams, members_of_streams
from extraction.readers.archives.compressed import inner_name

MEDIA_TYPES = frozenset({"application/x-xz", "application/x-lzma"})
IS_ARCHIVE = True
STREAMED = True


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    yield from members_of_streams(ChainedStreams(content.file(), lzma.LZMADecompressor), inner_name(content), budget)

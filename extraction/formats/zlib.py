"""Zlib stream -> the one file within it, or the members of the tar within it; what lies behind its end."""

import zlib
from collections.abc import Iterator
from functools import partial

from core.records import Segment
from extraction.content import Content
from extraction.format import Member
from extraction.limits.budget import Budget
from extraction.readers.archives.chained_streams import ChainedStreams, Deflated, members_of_streams
from extraction.readers.archives.compressed import inner_name

MEDIA_TYPES = frozenset({"application/zlib"})
IS_ARCHIVE = True


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    streams = ChainedStreams(content.file(), partial(Deflated, zlib.MAX_WBITS))
    yield from members_of_streams(streams, inner_name(content), budget)

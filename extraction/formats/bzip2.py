"""Bzip2 file -> the one file within it, or the members of the tar within it."""

import bz2
from collections.abc import Iterator

from core.records import Segment
from extraction.content import Content
from extraction.format import Member
from extraction.limits.budget import Budget
from extraction.readers.archives.compressed import inner_name, members_of_stream

MEDIA_TYPES = frozenset({"application/x-bzip2"})
IS_ARCHIVE = True
STREAMED = True


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    with bz2.BZ2File(content.file()) as stream:
        yield from members_of_stream(stream, inner_name(content), budget)

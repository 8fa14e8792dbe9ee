"""Xz or lzma file -> the one file within it, or the members of the tar within it."""

import lzma
from collections.abc import Iterator

from core.records import Segment
from extraction.content import Content
from extraction.format import Member
from extraction.limits.budget import Budget
from extraction.readers.archives.compressed import inner_name, members_of_stream

MEDIA_TYPES = frozenset({"application/x-xz", "application/x-lzma"})
IS_ARCHIVE = True
STREAMED = True


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    with lzma.LZMAFile(content.file()) as stream:
        yield from members_of_stream(stream, inner_name(content), budget)

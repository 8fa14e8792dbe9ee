"""File compressed by compress, lzip or lz4 -> the one file within it, or the members of the tar within it."""

from collections.abc import Iterator

from core.records import Segment
from extraction.content import Content
from extraction.format import Member
from extraction.limits.budget import Budget
from extraction.readers.archives import libarchive
from extraction.readers.archives.libarchive_members import NEED, archive_members

MEDIA_TYPES = frozenset({"application/x-compress", "application/x-lzip", "application/x-lz4"})
IS_ARCHIVE = True
NEEDS = (NEED,)


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    yield from archive_members(content, budget, libarchive.PACKED)

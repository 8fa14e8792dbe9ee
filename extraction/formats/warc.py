"""Web archive -> the content of each record as a member."""

from collections.abc import Iterator

from core.records import Segment
from extraction.content import Content
from extraction.format import Member
from extraction.limits.budget import Budget
from extraction.readers.archives.warc import web_archive_members

MEDIA_TYPES = frozenset({"application/warc"})
IS_ARCHIVE = True
STREAMED = True


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    yield from web_archive_members(content.file(), budget)

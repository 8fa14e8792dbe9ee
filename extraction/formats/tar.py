"""Tar archive -> its regular files as members; links, devices and folders are skipped."""

from collections.abc import Iterator

from core.records import Segment
from extraction.content import Content
from extraction.format import Member
from extraction.limits.budget import Budget
from extraction.readers.archives.tar import tar_members

MEDIA_TYPES = frozenset({"application/x-tar", "application/x-gtar", "application/x-ustar"})
IS_ARCHIVE = True
STREAMED = True


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    yield from tar_members(content.file(), budget)

"""Zip archive -> its members, its comments, and what its directory does not list."""

from collections.abc import Iterator
from functools import partial

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, StoppedError
from extraction.limits.budget import Budget
from extraction.readers.archives.zip import open_entry, opened, outside_directory

MEDIA_TYPES = frozenset({"application/zip", "application/java-archive"})
IS_ARCHIVE = True


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    archive, fault = opened(content)
    with archive:
        for info in archive.infolist():
            if not info.is_dir():
                yield Member(info.filename, partial(open_entry, archive, info, budget), info.file_size)
        yield from outside_directory(archive, fault, content, budget)
    if fault:
        raise StoppedError(Status.PARTIAL, fault)

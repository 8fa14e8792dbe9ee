"""Zip archive -> its members."""

from collections.abc import Iterator
from functools import partial

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, StoppedError
from extraction.limits.budget import Budget
from extraction.readers.archives.zip import open_entry, opened

MEDIA_TYPES = frozenset({"application/zip", "application/java-archive"})
IS_ARCHIVE = True


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    archive, fault = opened(content)
    with archive:
        for info in archive.infolist():
            if not info.is_dir():
                yield Member(info.filename, partial(open_entry, archive, info, budget), info.file_size)
    if fault:
        raise StoppedError(Status.PARTIAL, fault)

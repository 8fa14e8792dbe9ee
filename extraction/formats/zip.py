"""Zip archive -> its members."""

import zipfile
from collections.abc import Iterator

from core.records import Segment, Status
from extraction.budget import Budget
from extraction.content import Content
from extraction.expand import read_member
from extraction.format import Member, StoppedError
from extraction.zip_methods import EntryStream

MEDIA_TYPES = frozenset({"application/zip", "application/java-archive"})
IS_ARCHIVE = True

_ENCRYPTED = 0x1 | 0x40 | 0x2000


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    with zipfile.ZipFile(content.file()) as archive:
        for info in archive.infolist():
            if not info.is_dir():
                yield Member(info.filename, lambda info=info: open_entry(archive, info, budget), info.file_size)  # type: ignore[misc]


def open_entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget) -> Content:
    """The sizes that the directory states are not trusted; the budget counts what really comes out."""
    if info.flag_bits & _ENCRYPTED:
        raise StoppedError(Status.ENCRYPTED, "password-protected zip entry")
    try:
        stream = archive.open(info)
    except NotImplementedError:
        return read_member(EntryStream(archive, info), info.filename, budget)
    with stream:
        return read_member(stream, info.filename, budget)

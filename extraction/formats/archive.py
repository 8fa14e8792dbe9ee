"""Archive of one of many kinds (7z, rar, iso, cab, cpio, ar, lha) -> its regular files as members."""

from collections.abc import Iterator

from core.records import Segment
from extraction.content import Content
from extraction.format import Member
from extraction.limits.budget import Budget
from extraction.readers.archives import libarchive
from extraction.readers.archives.libarchive_members import NEED, archive_members
from extraction.readers.archives.seven_zip_passwords import unlocked_archive

MEDIA_TYPES = frozenset(
    {
        "application/x-7z-compressed",
        "application/vnd.rar",
        "application/x-rar",
        "application/x-iso9660-image",
        "application/vnd.ms-cab-compressed",
        "application/x-cpio",
        "application/x-archive",
        "application/vnd.debian.binary-package",
        "application/x-lzh-compressed",
        "application/x-lha",
    }
)
IS_ARCHIVE = True
NEEDS = (NEED,)


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    opened = unlocked_archive(content, budget) if budget.passwords else None
    yield from archive_members(opened or content, budget, libarchive.ARCHIVES)

"""Archive that libarchive reads -> its regular files as members, streamed once through."""

from collections.abc import Iterator
from functools import partial

from core.records import Status
from extraction.content import Content
from extraction.format import Member, Need, StoppedError
from extraction.limits.budget import Budget
from extraction.readers.archives import libarchive
from extraction.readers.archives.compressed import inner_name
from extraction.readers.streams.read_member import read_member

NEED = Need(
    "libarchive",
    "7z, rar, iso, cab, cpio, ar and lha archives, and files packed by compress, lzip or lz4",
    "apt-get install libarchive13",
    libarchive.version,
)
_LIBRARY = libarchive.library()  # loaded now: the sandbox could not reach it


def archive_members(content: Content, budget: Budget, kinds: tuple[str, ...]) -> Iterator[Member]:
    if _LIBRARY is None:
        raise StoppedError(Status.UNSUPPORTED, f"needs libarchive ({NEED.get})")
    archive = libarchive.Archive(_LIBRARY, content.file(), kinds)
    try:
        for entry in archive.entries():
            if entry.is_file:
                name = inner_name(content) if archive.is_one_stream else entry.name
                yield Member(name, partial(_open, entry, name, budget), entry.size)
    except libarchive.ArchiveError:
        if archive.is_encrypted:
            raise StoppedError(Status.ENCRYPTED, "password-protected archive") from None
        raise
    finally:
        archive.close()


def _open(entry: libarchive.Entry, name: str, budget: Budget) -> Content:
    if entry.is_encrypted:
        raise StoppedError(Status.ENCRYPTED, "password-protected archive member")
    return read_member(entry, name, budget)

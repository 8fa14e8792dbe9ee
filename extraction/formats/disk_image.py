"""Raw image of a disk or a volume (ext2, ext3, ext4, FAT, NTFS) -> its regular files as members; nothing is mounted."""

from collections.abc import Iterator
from typing import BinaryIO, cast

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, Piece, StoppedError
from extraction.formats import binary
from extraction.limits.budget import Budget
from extraction.media_types import DISK
from extraction.readers.disks.file_system import FAULTS, Partition, VolumeFile, stored_files
from extraction.readers.disks.layout import ENCRYPTED, LOOK, file_system, partitions
from extraction.readers.streams.read_member import read_member

MEDIA_TYPES = frozenset({DISK})
IS_ARCHIVE = True
STREAMED = True

_BLOCK = 4096  # a file system is read in many small jumps, so a larger buffer would be wasted


def extract(content: Content, budget: Budget) -> Iterator[Piece]:
    disk = content.file(_BLOCK)
    opened = locked = closed = lost = 0
    for kind, prefix, part in _volumes(content, disk):
        if kind == ENCRYPTED:
            locked += 1
            continue
        try:
            for stored in stored_files(kind, part) if kind else ():
                opened += stored is not None
                lost += stored is None
                if stored is not None:
                    yield _member(stored, prefix, budget)
        except FAULTS:
            kind = ""
        closed += not kind
    if locked and not opened:
        raise StoppedError(Status.ENCRYPTED, "encrypted volume")
    if (closed or lost) and not opened:
        yield from _strings(content, budget)
    if closed or locked or lost:
        raise StoppedError(Status.PARTIAL, _missing(closed, locked, lost))


def _volumes(content: Content, disk: BinaryIO) -> Iterator[tuple[str, str, BinaryIO]]:
    kind = file_system(content.data)
    if kind:
        yield kind, "", disk
        return
    for number, (start, length) in enumerate(partitions(disk), 1):
        disk.seek(start)
        head = disk.read(LOOK)
        yield (
            file_system(head) if head else "",
            f"partition {number}/",
            cast(BinaryIO, Partition(disk, start, min(length, content.size - start))),
        )


def _member(stored: VolumeFile, prefix: str, budget: Budget) -> Member:
    name = prefix + stored.path
    return Member(name, lambda: read_member(stored.stream, name, budget), stored.stream.size)


def _strings(content: Content, budget: Budget) -> Iterator[Segment]:
    """A disk that cannot be opened is still read for strings, like any file of an unknown type."""
    try:
        yield from cast(Iterator[Segment], binary.extract(content, budget))
    except StoppedError:
        return


def _missing(closed: int, locked: int, lost: int) -> str:
    counts = (
        (closed, "volumes that could not be opened"),
        (locked, "encrypted volumes"),
        (lost, "files or folders that could not be read"),
    )
    return ", ".join(f"{count:,} {what}" for count, what in counts if count)

"""Raw image of a disk or a volume (ext2, ext3, ext4, FAT, exFAT, NTFS, HFS+) -> its files as members, deleted ones too.

Nothing is mounted.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import BinaryIO, cast

from core.records import Origin, Segment, Status
from extraction.content import Content
from extraction.format import Member, Piece, StoppedError
from extraction.formats import binary
from extraction.limits.budget import Budget
from extraction.media_types import DISK
from extraction.readers.disks.carve import FreeSpace, carved_files
from extraction.readers.disks.deleted import DeletedFiles
from extraction.readers.disks.file_system import FAULTS, LockedError, Partition, VolumeFile, stored_files
from extraction.readers.disks.layout import ENCRYPTED, EXFAT, LOOK, UNREAD, file_system, partitions
from extraction.readers.disks.unlock import unlocked
from extraction.readers.streams.read_member import embedded_content, read_member

MEDIA_TYPES = frozenset({DISK})
IS_ARCHIVE = True
STREAMED = True

_BLOCK = 4096  # a file system is read in many small jumps, so a larger buffer would be wasted


def extract(content: Content, budget: Budget) -> Iterator[Piece]:
    yield from files_of_disk(content.file(_BLOCK), content.size, content, budget)


def files_of_disk(disk: BinaryIO, size: int, content: Content, budget: Budget) -> Iterator[Piece]:
    """`content` is read for strings where no volume of the disk opens."""
    seen = _Seen()
    for volume in _volumes(disk, size):
        if volume.kind == ENCRYPTED:
            opened = unlocked(volume.file, volume.size, budget.passwords)
            if opened is None:
                seen.locked += 1
                continue
            head = opened.file.read(LOOK)
            volume = _Volume(file_system(head), volume.prefix, opened.file, volume.start, opened.size)
        closed, locked = len(seen.closed), seen.locked
        yield from _stored(volume, seen, budget)
        if locked == seen.locked:
            yield from _deleted(volume if len(seen.closed) == closed else replace(volume, kind=""), seen, budget)
    if seen.locked and not seen.opened:
        raise StoppedError(Status.ENCRYPTED, "encrypted volume")
    if (seen.closed or seen.lost) and not seen.opened:
        yield from _strings(content, budget)
    if seen.closed or seen.locked or seen.lost or seen.unsearched:
        raise StoppedError(Status.PARTIAL, _missing(seen))


@dataclass(slots=True)
class _Seen:
    """How many files were opened, and what was not: volumes, locked ones, files or folders."""

    opened: int = 0
    locked: int = 0
    closed: list[str] = field(default_factory=list)  # what each is, empty where nothing says so
    lost: int = 0
    unsearched: int = 0


@dataclass(frozen=True, slots=True)
class _Volume:
    kind: str
    prefix: str  # of the names in it
    file: BinaryIO
    start: int  # in the image
    size: int


def _volumes(disk: BinaryIO, total: int) -> Iterator[_Volume]:
    disk.seek(0)
    kind = file_system(disk.read(LOOK))
    if kind:
        yield _Volume(kind, "", disk, 0, total)
        return
    for number, (start, length) in enumerate(partitions(disk), 1):
        disk.seek(start)
        head = disk.read(LOOK)
        size = max(0, min(length, total - start))
        part = cast(BinaryIO, Partition(disk, start, size))
        yield _Volume(file_system(head) if head else "", f"partition {number}/", part, start, size)


def _stored(volume: _Volume, seen: _Seen, budget: Budget) -> Iterator[Piece]:
    """Files that are still there; those of exFAT come with the deleted ones."""
    if volume.kind == EXFAT:
        return
    if not volume.kind or volume.kind in UNREAD:
        seen.closed.append(volume.kind)
        return
    try:
        for stored in stored_files(volume.kind, volume.file, budget.passwords):
            seen.opened += stored is not None
            seen.lost += stored is None
            if stored is not None:
                yield _member(stored, volume.prefix, budget)
    except LockedError:
        seen.locked += 1
    except ImportError:
        seen.closed.append(f"{volume.kind}, the extra disks is not installed")
    except FAULTS:
        seen.closed.append(volume.kind)


def _deleted(volume: _Volume, seen: _Seen, budget: Budget) -> Iterator[Piece]:
    """What was deleted and is still known by name, then what lies in free space; all of a volume that does not open."""
    survey = DeletedFiles(volume.file, volume.size, with_stored=volume.kind == EXFAT)
    if volume.kind:
        try:
            for stored in survey:
                seen.opened += 1
                yield _member(stored, volume.prefix, budget)
        except FAULTS:  # then nothing tells free space from files
            if volume.kind == EXFAT:
                seen.closed.append(EXFAT)
            else:
                seen.unsearched += 1
            return
        seen.lost += survey.lost if volume.kind == EXFAT else 0
    for carved in carved_files(FreeSpace(volume.file, survey.free())):
        seen.opened += 1
        name = f"{volume.prefix}carved/{carved.offset}.{carved.ending}"
        origin = Origin(bool(volume.kind), volume.start + carved.offset)
        yield Member(name, partial(embedded_content, carved.data, budget, name), len(carved.data), origin)


def _member(stored: VolumeFile, prefix: str, budget: Budget) -> Member:
    name = f"{prefix}{'deleted/' if stored.deleted else ''}{stored.path}"
    return Member(name, lambda: read_member(stored.stream, name, budget), stored.stream.size, Origin(stored.deleted))


def _strings(content: Content, budget: Budget) -> Iterator[Segment]:
    """A disk that cannot be opened is still read for strings, like any file of an unknown type."""
    try:
        yield from cast(Iterator[Segment], binary.extract(content, budget))
    except StoppedError:
        return


def _missing(seen: _Seen) -> str:
    kinds = sorted(set(seen.closed) - {""})
    counts = (
        (len(seen.closed), "volumes that could not be opened" + (f" ({', '.join(kinds)})" if kinds else "")),
        (seen.locked, "encrypted volumes"),
        (seen.lost, "files or folders that could not be read"),
        (seen.unsearched, "volumes not searched for deleted files"),
    )
    return ", ".join(f"{count:,} {what}" for count, what in counts if count)

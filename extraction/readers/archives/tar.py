"""Tar stream -> its regular files as members, read once from front to back."""

import tarfile
from collections.abc import Iterator
from typing import BinaryIO, Self

from core.records import Status
from extraction.content import Content
from extraction.format import Member, StoppedError
from extraction.limits.budget import Budget
from extraction.readers.streams.metered import Charged
from extraction.readers.streams.read_member import read_member

BLOCK = 512
_BUFFER = 1 << 18
_BENIGN_ENDS = frozenset({"EOFHeaderError", "EmptyHeaderError"})


def looks_like_tar(head: bytes) -> bool:
    """By the checksum of the first header, which the oldest tars have as well."""
    if len(head) < BLOCK:
        return False
    try:
        stated = int(head[148:156].strip(b" \0") or b"-", 8)
    except ValueError:
        return False
    counted = sum(head[:148]) + 8 * 32 + sum(head[156:BLOCK])
    return stated == counted and head[0] != 0


class _Entry(tarfile.TarInfo):
    """Tells the archive why no further header could be read: tarfile ends silently at a damaged one."""

    @classmethod
    def fromtarfile(cls, tarfile: tarfile.TarFile) -> Self:
        try:
            return super().fromtarfile(tarfile)
        except Exception as error:
            if isinstance(tarfile, _Archive):
                tarfile.end = type(error).__name__
            raise


class _Archive(tarfile.TarFile):
    tarinfo = _Entry
    end = ""


def tar_members(stream: BinaryIO, budget: Budget) -> Iterator[Member]:
    """Of a tar that can be read by position, so that what is not wanted is passed over unread."""
    with _Archive.open(fileobj=stream, mode="r:") as archive:
        yield from _members(archive, budget)


def streamed_tar_members(stream: BinaryIO, budget: Budget) -> Iterator[Member]:
    """Of a tar that comes out of a decompressor."""
    charged = Charged(stream, budget)
    with _Archive.open(fileobj=charged, mode="r|", bufsize=_BUFFER) as archive:  # type: ignore[call-overload]
        try:
            yield from _members(archive, budget, charged)
        except tarfile.ReadError:
            if not charged.fault:
                raise
        if charged.fault:
            raise StoppedError(Status.PARTIAL, charged.fault)


def _members(archive: tarfile.TarFile, budget: Budget, charged: Charged | None = None) -> Iterator[Member]:
    for info in archive:
        archive.members.clear()  # type: ignore[attr-defined]  # otherwise all headers stay in memory
        if info.isreg():
            yield Member(info.name, lambda info=info: _read(archive, info, budget, charged), max(0, info.size))  # type: ignore[misc]
    end = archive.end if isinstance(archive, _Archive) else ""
    if end and end not in _BENIGN_ENDS and not (charged and charged.fault):
        raise StoppedError(Status.PARTIAL, f"corrupt ({end})")


def _read(archive: tarfile.TarFile, info: tarfile.TarInfo, budget: Budget, charged: Charged | None) -> Content:
    """A sparse file expands beyond what its stream was charged for."""
    stream = archive.extractfile(info)
    if stream is None:
        raise StoppedError(Status.FAILED, "corrupt (no content)")
    with stream:
        content = read_member(
            stream, info.name, budget, paid=charged is not None and budget.streamed_left is None and not info.issparse()
        )
    if content.fault and charged is not None and charged.fault:
        content.fault = charged.fault
    return content

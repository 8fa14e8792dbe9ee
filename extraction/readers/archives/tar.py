"""Tar stream -> its regular files as members, read once from front to back."""

import tarfile
from collections.abc import Iterator
from functools import partial
from typing import BinaryIO, Self

from core.records import Status
from extraction.content import Content
from extraction.format import Member, StoppedError
from extraction.limits.budget import Budget
from extraction.readers.streams.metered import Metered
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
    """Records why no further header could be read: tarfile ends silently at a damaged one."""

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
    """Members of a tar that can be read by position: unwanted content is skipped unread."""
    with _Archive.open(fileobj=stream, mode="r:") as archive:
        yield from _members(archive, budget)


def streamed_tar_members(stream: BinaryIO, budget: Budget) -> Iterator[Member]:
    """Members of a tar that comes out of a decompressor."""
    metered = Metered(stream, budget)
    with _Archive.open(fileobj=metered, mode="r|", bufsize=_BUFFER) as archive:  # type: ignore[call-overload]
        try:
            yield from _members(archive, budget, metered)
        except tarfile.ReadError:
            if not metered.fault:
                raise
        if metered.fault:
            raise StoppedError(Status.PARTIAL, metered.fault)


def _members(archive: tarfile.TarFile, budget: Budget, metered: Metered | None = None) -> Iterator[Member]:
    for info in archive:
        archive.members.clear()  # type: ignore[attr-defined]  # otherwise all headers stay in memory
        if info.isreg():
            yield Member(info.name, partial(_read, archive, info, budget, metered), max(0, info.size))
    end = archive.end if isinstance(archive, _Archive) else ""
    if end and end not in _BENIGN_ENDS and not (metered and metered.fault):
        raise StoppedError(Status.PARTIAL, f"corrupt ({end})")


def _read(archive: tarfile.TarFile, info: tarfile.TarInfo, budget: Budget, metered: Metered | None) -> Content:
    """A sparse file expands beyond what its stream was charged for."""
    stream = archive.extractfile(info)
    if stream is None:
        raise StoppedError(Status.FAILED, "corrupt (no content)")
    with stream:
        content = read_member(
            stream,
            info.name,
            budget,
            already_charged=metered is not None and budget.streamed_left is None and not info.issparse(),
        )
    if content.fault and metered is not None and metered.fault:
        content.fault = metered.fault
    return content

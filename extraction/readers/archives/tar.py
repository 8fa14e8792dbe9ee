"""Tar stream -> its regular files as members, read once from front to back."""

import tarfile
from collections.abc import Iterator, Mapping
from functools import partial
from typing import BinaryIO, Self, cast

from core.records import Status
from extraction.content import Content
from extraction.format import Member, StoppedError
from extraction.limits.budget import Budget
from extraction.member_names import BEHIND
from extraction.readers.streams.metered import Metered
from extraction.readers.streams.read_member import Continued, embedded_content, read_member

BLOCK = 512
_BUFFER = 1 << 18
_KNOWN_HEADERS = frozenset({"path", "linkpath", "uname", "gname", "mtime", "atime", "ctime", "size", "uid", "gid"})
_PADDING = b"\0\r\n\t "
_LEAST_BEHIND = 8  # bytes
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
        if said := _said(info.pax_headers):
            yield Member("comment", partial(embedded_content, said, budget), len(said))
    yield from _behind(archive, budget, metered)
    end = archive.end if isinstance(archive, _Archive) else ""
    if end and end not in _BENIGN_ENDS and not (metered and metered.fault):
        raise StoppedError(Status.PARTIAL, f"corrupt ({end})")


def _said(headers: Mapping[str, str]) -> bytes:
    """Comments, and what else is no name, number or time."""
    return "\n".join(text for name, text in headers.items() if name not in _KNOWN_HEADERS and " " in text).encode()


def _behind(archive: tarfile.TarFile, budget: Budget, metered: Metered | None) -> Iterator[Member]:
    """What follows the empty blocks at the end: another tar, for one."""
    stream = cast(BinaryIO, archive.fileobj)
    if metered is None:
        stream.seek(archive.offset)
    try:
        while (block := stream.read(BLOCK)) and not block.strip(b"\0"):
            pass
    except Exception:  # a stream without an end says so elsewhere
        return
    if len(block.strip(_PADDING)) >= _LEAST_BEHIND:
        yield Member(BEHIND, partial(read_member, Continued(block, stream), BEHIND, budget))


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

"""Decompressing stream -> the one file in it, or the members of the tar or WARC in it."""

import io
from collections.abc import Iterator
from typing import BinaryIO, cast

from core.records import Status
from extraction.content import Content
from extraction.format import Member, StoppedError
from extraction.limits.budget import Budget, LimitError
from extraction.readers.archives.tar import BLOCK, looks_like_tar, streamed_tar_members
from extraction.readers.archives.warc import START as WARC
from extraction.readers.archives.warc import web_archive_members
from extraction.readers.streams.metered import Metered
from extraction.readers.streams.read_member import read_member

_ENDINGS = (
    *(".gz", ".bz2", ".bz", ".xz", ".lzma", ".zst", ".zstd", ".z", ".lz", ".lz4", ".br", ".sz", ".zz"),
    *(".svgz", ".tgz", ".tbz", ".tbz2", ".txz", ".tlz", ".tzst"),
)
_WHOLE_NAMES = {
    ".svgz": ".svg",
    ".tgz": ".tar",
    ".tbz": ".tar",
    ".tbz2": ".tar",
    ".txz": ".tar",
    ".tlz": ".tar",
    ".tzst": ".tar",
}


def members_of_stream(stream: io.IOBase, name: str, budget: Budget) -> Iterator[Member]:
    """A compressed tar or WARC counts as one archive: its files are `x.tar.gz!a.txt`, without a step for the tar."""
    buffered: BinaryIO = cast(BinaryIO, io.BufferedReader(cast(io.RawIOBase, stream), 1 << 16))
    beginning = _beginning(buffered)
    if looks_like_tar(beginning):
        yield from streamed_tar_members(buffered, budget)
    elif WARC.match(beginning):
        yield from _web_archive(Metered(buffered, budget), budget)
    else:
        yield Member(name, lambda: _whole(buffered, name, budget))


def _beginning(stream: BinaryIO) -> bytes:
    try:
        return bytes(stream.peek(BLOCK))  # type: ignore[attr-defined]
    except (LimitError, MemoryError):
        raise
    except Exception:
        return b""  # the reader of the whole will report the same fault


def _web_archive(metered: Metered, budget: Budget) -> Iterator[Member]:
    try:
        yield from web_archive_members(metered, budget, metered)
    except StoppedError:
        if not metered.fault:
            raise
    if metered.fault:
        raise StoppedError(Status.PARTIAL, metered.fault)


def _whole(stream: BinaryIO, name: str, budget: Budget) -> Content:
    return read_member(stream, name, budget)


def inner_name(content: Content) -> str:
    """The name of the outer file without its compression suffix."""
    outer = content.name.rpartition("/")[2]
    folded = outer.lower()
    for ending in _ENDINGS:
        if folded.endswith(ending) and len(outer) > len(ending):
            return outer[: -len(ending)] + _WHOLE_NAMES.get(ending, "")
    return "content"

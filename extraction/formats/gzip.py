"""Gzip file -> the one file within it, or the members of the tar within it; its comment, what lies behind its end."""

from collections.abc import Iterator
from functools import partial

from core.records import Segment
from extraction.content import Content
from extraction.format import Member
from extraction.limits.budget import Budget
from extraction.readers.archives.chained_streams import ChainedStreams, Deflated, members_of_streams
from extraction.readers.archives.compressed import inner_name
from extraction.readers.streams.read_member import embedded_content

MEDIA_TYPES = frozenset({"application/gzip"})
IS_ARCHIVE = True
STREAMED = True

_HAS_EXTRA, _HAS_NAME, _HAS_COMMENT = 4, 8, 16
_FIXED = 10  # bytes of the header
_LONGEST_NAME = 255  # characters that a file system allows


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    extra, name, comment = _header(content.data)
    said = b"\n".join(filter(None, (extra, name if len(name) > _LONGEST_NAME else b"", comment)))
    if said:
        yield Member("comment", partial(embedded_content, said, budget), len(said))
    streams = ChainedStreams(content.file(), Deflated)
    yield from members_of_streams(streams, name[:_LONGEST_NAME].decode("latin-1") or inner_name(content), budget)


def _header(data: bytes) -> tuple[bytes, bytes, bytes]:
    """The extra field, the name and the comment of the first stream."""
    flags = data[3] if len(data) > _FIXED else 0
    place = _FIXED
    extra = b""
    if flags & _HAS_EXTRA:
        end = place + 2 + int.from_bytes(data[place : place + 2], "little")
        extra, place = data[place + 2 : end], end
    texts: list[bytes] = []
    for flag in (_HAS_NAME, _HAS_COMMENT):
        end = data.find(b"\0", place) if flags & flag else -1
        texts.append(data[place:end] if end >= 0 else b"")
        place = end + 1 if end >= 0 else place
    return extra if _is_text(extra) else b"", texts[0], texts[1]


def _is_text(extra: bytes) -> bool:
    """Programs keep numbers there, such as the sizes of blocks."""
    return sum(32 <= byte < 127 for byte in extra) >= max(8, 0.8 * len(extra))

"""A text beyond the read limit -> its characters, window after window; only one of them is in memory."""

import errno
import hashlib
import os
from collections.abc import Iterator

from core.records import Segment
from core.settings import LimitSettings
from extraction.content import Content
from extraction.decode import StreamDecoder
from extraction.format import Piece, WindowEnd
from extraction.xml_text import declared_encoding


def windows(content: Content, limits: LimitSettings) -> Iterator[Piece]:
    """Up to the size that the file had when it was opened: one that grows is never read to its end otherwise."""
    assert content.descriptor is not None
    beginning, content.data = content.data[: limits.window_bytes], b""
    decoder = StreamDecoder(beginning, declared_encoding(beginning))
    end = min(content.size, limits.streamed_bytes)
    cut_short = content.fault if os.fstat(content.descriptor).st_size < content.size else ""  # of an object no more was fetched
    digest = hashlib.sha256()
    position = 0
    while position < end and not _only_a_hole_follows(content.descriptor, position):
        data = os.pread(content.descriptor, min(limits.window_bytes, end - position), position)
        digest.update(data)
        position += len(data)
        text = decoder.decode(data, last=not data or position == content.size)
        if text:
            yield Segment("", text)
        if not data:
            content.fault = cut_short or "became shorter while it was read"
            return
        if text and position < end:
            yield WindowEnd()
    if position >= end < content.size:
        content.fault = f"streamed text limit ({limits.streamed_bytes:,} bytes)"
    elif cut_short and position < content.size:
        content.fault = cut_short
    else:
        content.fault = ""
        content.streamed_sha256 = digest.hexdigest() if position == content.size else None


def _only_a_hole_follows(descriptor: int, position: int) -> bool:
    """The rest of a sparse file may be a hundred gigabytes of nothing."""
    try:
        os.lseek(descriptor, position, os.SEEK_DATA)
    except OSError as error:
        return error.errno == errno.ENXIO
    return False

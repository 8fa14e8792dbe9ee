"""A text beyond the read limit -> its characters, window after window; only one of them is in memory."""

import errno
import fcntl
import hashlib
import os
import time
from collections.abc import Iterator

from core.records import Segment
from core.settings import LimitSettings
from extraction.content import Content
from extraction.format import Piece, WindowEnd
from extraction.readers.text.decode import StreamDecoder
from extraction.readers.xml.parse import declared_encoding

_SECONDS_BETWEEN_LOOKS = 0.01


def windows(content: Content, limits: LimitSettings) -> Iterator[Piece]:
    """Reads up to the size that the file had when it was opened: a growing file would never end."""
    assert content.descriptor is not None
    beginning, content.data = content.data[: limits.window_bytes], b""
    decoder = StreamDecoder(beginning, declared_encoding(beginning))
    end = min(content.size, limits.streamed_bytes)
    digest = hashlib.sha256()
    position = 0
    while position < end and not _only_a_hole_follows(content.descriptor, position):
        _wait_for(content.descriptor, min(position + limits.window_bytes, end))
        data = os.pread(content.descriptor, min(limits.window_bytes, end - position), position)
        digest.update(data)
        position += len(data)
        text = decoder.decode(data, last=not data or position == content.size)
        if text:
            yield Segment("", text)
        if not data:
            content.fault = "became shorter while it was read"
            return
        if text and position < end:
            yield WindowEnd()
    if position >= end < content.size:
        content.fault = f"streamed text limit ({limits.streamed_bytes:,} bytes)"
    elif position == content.size or os.fstat(content.descriptor).st_size >= content.size:
        content.fault = ""
        content.streamed_sha256 = digest.hexdigest() if position == content.size else None


def _wait_for(descriptor: int, size: int) -> None:
    """Waits for the rest of an object, unless its memory is sealed; the process that fetches it has a time limit."""
    while os.fstat(descriptor).st_size < size and _grows(descriptor):
        time.sleep(_SECONDS_BETWEEN_LOOKS)


def _grows(descriptor: int) -> bool:
    try:
        return not fcntl.fcntl(descriptor, fcntl.F_GET_SEALS) & fcntl.F_SEAL_GROW
    except OSError:  # a file on disk
        return False


def _only_a_hole_follows(descriptor: int, position: int) -> bool:
    """The rest of a sparse file may be a hundred gigabytes of zeros."""
    _wait_for(descriptor, position + 1)
    try:
        os.lseek(descriptor, position, os.SEEK_DATA)
    except OSError as error:
        return error.errno == errno.ENXIO
    return False

"""Events of an extraction <-> frames on a socket: kind, length, fields separated by zero bytes. No pickle."""

import struct
from collections.abc import Callable
from enum import IntEnum

from core.records import IN_PLACE, Origin, Status
from extraction.media_types import HTML, XML

HEADER = struct.Struct("<BI")
# Size of the file, whether it is a source, whether the parent makes its hash, the page to draw (0: it is read), length
# of its name and of the list of members to skip.
REQUEST = struct.Struct("<Q??HII")
LONGEST_FRAME = 1 << 21  # room for a piece of text with its place, or for a long path
_MARKUP = (HTML, XML, "text/rtf", "text/x-rtf")
LARGEST_SIZE = 10**18 - 1
TEXT_PIECE = 1 << 20
FLUSH_BYTES = 1 << 16


class FrameKind(IntEnum):
    READY = 1  # landlock abi, seccomp
    START = 2  # path of a member, whether it was deleted, offset at which it was carved
    IDENTIFIED = 3  # media type, sha256, size
    TEXT = 4  # where, text
    MORE_TEXT = 5  # the text of the same segment goes on
    WINDOW = 7  # the text so far is one window of the outermost file, and more follows
    END = 6  # status, reason; that of the outermost file ends the exchange


_KINDS = {kind.value: kind for kind in FrameKind}


class FrameError(Exception):
    """The other side does not keep to the protocol."""


def frame(kind: FrameKind, *fields: str) -> bytes:
    payload = "\0".join(fields).encode("utf-8", "replace")
    return HEADER.pack(kind, len(payload)) + payload


class FrameWriter:
    """Gathers events into few sends; whatever a crash or time-out must not lose is sent at once."""

    def __init__(self, send: Callable[[bytes], object]) -> None:
        self._send = send
        self._waiting: list[bytes] = []
        self._bytes = 0
        self.media_types: set[str] = set()
        self._in_one_piece = False  # plain text comes whole or not at all, so its events can wait until it ends

    def start(self, path: str, origin: Origin = IN_PLACE) -> None:
        carved_at = "" if origin.carved_at is None else str(origin.carved_at)
        self._add(frame(FrameKind.START, path, "deleted" if origin.deleted else "", carved_at))
        self.flush()

    def identified(self, media_type: str, sha256: str | None, size: int) -> None:
        claimed = min(max(0, size), LARGEST_SIZE)  # archives may claim anything of their members
        self._add(frame(FrameKind.IDENTIFIED, media_type, sha256 or "", str(claimed)))
        self._in_one_piece = media_type.startswith("text/")
        self.media_types.add(media_type)
        if not self._in_one_piece or media_type in _MARKUP:  # the parent knows before a parser can be taken over
            self.flush()

    def text(self, where: str, encoded: bytes) -> None:
        payload = where.encode() + b"\0" + encoded
        self._add(HEADER.pack(FrameKind.TEXT, min(len(payload), TEXT_PIECE)) + payload[:TEXT_PIECE])
        for start in range(TEXT_PIECE, len(payload), TEXT_PIECE):
            piece = payload[start : start + TEXT_PIECE]
            self._add(HEADER.pack(FrameKind.MORE_TEXT, len(piece)) + piece)
        if not self._in_one_piece:
            self.flush()

    def window(self) -> None:
        self._add(frame(FrameKind.WINDOW))
        self.flush()

    def end(self, status: Status, reason: str) -> None:
        """At once: if the parser dies between two members, the one that has ended is not to blame."""
        self._add(frame(FrameKind.END, status, reason))
        self.flush()

    def _add(self, data: bytes) -> None:
        self._waiting.append(data)
        self._bytes += len(data)
        if self._bytes >= FLUSH_BYTES:
            self.flush()

    def flush(self) -> None:
        if self._waiting:
            self._send(b"".join(self._waiting))
            self._waiting.clear()
            self._bytes = 0


class FrameReader:
    """Bytes as they arrive -> whole frames; it holds at most the longest frame and one receipt."""

    def __init__(self) -> None:
        self._buffer = b""
        self._start = 0

    def feed(self, data: bytes) -> None:
        self._buffer = self._buffer[self._start :] + data if self._start < len(self._buffer) else data
        self._start = 0

    def take(self) -> tuple[FrameKind, bytes] | None:
        """The next frame, None if it has not arrived completely."""
        start = self._start + HEADER.size
        buffer = self._buffer
        if len(buffer) < start:
            return None
        number, length = HEADER.unpack_from(buffer, self._start)
        kind = _KINDS.get(number)
        if kind is None or length > LONGEST_FRAME:
            raise FrameError("a frame of unknown kind or length")
        end = start + length
        if len(buffer) < end:
            return None
        self._start = end
        return kind, buffer[start:end]

    @property
    def is_empty(self) -> bool:
        return self._start >= len(self._buffer)

"""Web archive, a stream of records -> the content of each record as a member, without its HTTP headers."""

import re
import zlib
from collections.abc import Iterator
from functools import partial

from core.records import Status
from extraction.content import Content
from extraction.format import Member, StoppedError
from extraction.limits.budget import Budget
from extraction.readers.streams.metered import Metered
from extraction.readers.streams.read_member import Readable, embedded_content

START = re.compile(rb"WARC/\d\.\d\r?\n")
TRUNCATED = "corrupt (truncated)"
LONGEST_HEADER = 1 << 16
_LONGEST_START = 16
_CHUNK_BYTES = 1 << 18
_PASSED_OVER = 1 << 20
_END_OF_HEADER = re.compile(rb"\r?\n\r?\n")
_FIELD = re.compile(rb"^([\w-]+):[ \t]*([^\r\n]*)", re.M)
_HTTP = re.compile(rb"HTTP/\d(?:\.\d)? \d{3}|[A-Z]{3,10} \S+ HTTP/\d")
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,8})[^\r\n]{0,200}\r?\n")


class _Ahead:
    """Reads a stream a little ahead, so that it can be searched."""

    def __init__(self, stream: Readable) -> None:
        self._stream = stream
        self._held = b""
        self._at = 0

    def fill(self, count: int) -> bool:
        """Reads until that many bytes are held; False if the stream ends before."""
        while len(self._held) - self._at < count:
            piece = self._stream.read(_CHUNK_BYTES)
            if not piece:
                return False
            self._held = self._held[self._at :] + piece
            self._at = 0
        return True

    def next_header(self) -> dict[bytes, bytes] | None:
        """Skips whatever precedes the next header; None at the end."""
        while (match := START.search(self._held, self._at)) is None:
            self._at = max(self._at, len(self._held) - _LONGEST_START)
            if not self.fill(len(self._held) - self._at + 1):
                return None
        self._at = match.start()
        self.fill(LONGEST_HEADER)
        ended = _END_OF_HEADER.search(self._held, self._at, self._at + LONGEST_HEADER)
        if ended is None:
            raise StoppedError(Status.PARTIAL, TRUNCATED)
        header, self._at = self._held[self._at : ended.start()], ended.end()
        return _fields(header)

    def take(self, count: int) -> bytes:
        self.fill(count)
        taken = self._held[self._at : self._at + count]
        self._at += len(taken)
        return taken

    def skip(self, count: int) -> int:
        """Returns how many bytes there were to skip."""
        left = count
        while left > 0 and (taken := self.take(min(left, _PASSED_OVER))):
            left -= len(taken)
        return count - left


def web_archive_members(stream: Readable, budget: Budget, metered: Metered | None = None) -> Iterator[Member]:
    """`metered` is the stream itself where it comes out of a decompressor."""
    already_charged = metered is not None and budget.streamed_left is None
    ahead = _Ahead(stream)
    while (fields := ahead.next_header()) is not None:
        stated = fields.get(b"content-length", b"")
        length = int(stated) if stated.isdigit() else 0
        body = ahead.take(min(length, budget.limits.member_bytes + 1))
        came = len(body) + ahead.skip(length - len(body)) if len(body) == budget.limits.member_bytes + 1 else len(body)
        name = _name(fields)
        if body:
            fault = (metered and metered.fault) or TRUNCATED if came < length else ""
            yield Member(name, partial(_open, body, name, fault, budget, already_charged), length)
        if came < length:
            raise StoppedError(Status.PARTIAL, TRUNCATED)


def _name(fields: dict[bytes, bytes]) -> str:
    return fields.get(b"warc-target-uri", b"").strip(b"<>").decode("utf-8", "replace") or fields.get(
        b"warc-type", b""
    ).decode("latin-1")


def _fields(header: bytes) -> dict[bytes, bytes]:
    return {name.lower(): value.strip() for name, value in _FIELD.findall(header)}


def _open(record: bytes, name: str, fault: str, budget: Budget, already_charged: bool) -> Content:
    payload = _payload(record, budget.limits.member_bytes)
    content = embedded_content(payload, budget, name, already_charged=len(record) if already_charged else 0)
    content.fault = content.fault or fault
    return content


def _payload(record: bytes, limit: int) -> bytes:
    """A server's response is decompressed; a request stays as it is, since it may contain form data."""
    ended = _END_OF_HEADER.search(record, 0, LONGEST_HEADER)
    if ended is None or not _HTTP.match(record):
        return record
    fields = _fields(record[: ended.start()])
    body = record[ended.end() :]
    if not body or not record.startswith(b"HTTP/"):
        return record
    if fields.get(b"transfer-encoding", b"").lower() == b"chunked":
        body = _joined(body)
    if fields.get(b"content-encoding", b"").lower() in (b"gzip", b"deflate"):
        body = _inflated(body, limit)
    return body


def _joined(body: bytes) -> bytes:
    """Some archives keep the header of a chunked response but not its chunks."""
    pieces: list[bytes] = []
    place = 0
    while (chunk := _CHUNK.match(body, place)) is not None:
        size = int(chunk.group(1), 16)
        pieces.append(body[chunk.end() : chunk.end() + size])
        place = chunk.end() + size
        place += len(re.match(rb"\r?\n?", body[place : place + 2]).group())  # type: ignore[union-attr]
        if not size:
            break
    return b"".join(pieces) if pieces else body


def _inflated(body: bytes, limit: int) -> bytes:
    for bits in (47, -15):  # with a header of either kind, or none
        try:
            return zlib.decompressobj(bits).decompress(body, limit + 1)
        except zlib.error:
            continue
    return body

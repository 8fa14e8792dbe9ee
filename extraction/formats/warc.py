"""Web archive -> what each record holds as a member, without the headers of the web around it."""

import re
import zlib
from collections.abc import Iterator

from core.records import Segment, Status
from extraction.budget import Budget
from extraction.content import Content
from extraction.expand import carried
from extraction.format import Member, StoppedError

MEDIA_TYPES = frozenset({"application/warc"})
IS_ARCHIVE = True

LONGEST_HEADER = 1 << 16
_START = re.compile(rb"WARC/\d\.\d\r?\n")
_END_OF_HEADER = re.compile(rb"\r?\n\r?\n")
_FIELD = re.compile(rb"^([\w-]+):[ \t]*([^\r\n]*)", re.M)
_HTTP = re.compile(rb"HTTP/\d(?:\.\d)? \d{3}|[A-Z]{3,10} \S+ HTTP/\d")
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,8})[^\r\n]{0,200}\r?\n")


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    data = content.data
    start = 0
    while (found := _START.search(data, start)) is not None:
        ended = _END_OF_HEADER.search(data, found.end() - 1, found.end() + LONGEST_HEADER)
        if ended is None:
            break
        fields = _fields(data[found.end() : ended.start()])
        length = int(fields.get(b"content-length", b"0") or 0) if fields.get(b"content-length", b"0").isdigit() else 0
        body = data[ended.end() : ended.end() + length]
        name = fields.get(b"warc-target-uri", b"").strip(b"<>").decode("utf-8", "replace") or fields.get(b"warc-type", b"").decode(
            "latin-1"
        )
        if body:
            yield Member(name, lambda body=body, name=name: _open(body, name, budget), len(body))  # type: ignore[misc]
        if ended.end() + length > len(data):
            raise StoppedError(Status.PARTIAL, "corrupt (truncated)")
        start = ended.end() + length


def _fields(header: bytes) -> dict[bytes, bytes]:
    return {name.lower(): value.strip() for name, value in _FIELD.findall(header)}


def _open(record: bytes, name: str, budget: Budget) -> Content:
    return carried(_payload(record, budget.limits.member_bytes), budget, name)


def _payload(record: bytes, limit: int) -> bytes:
    """What a server sent, unpacked; a request, which may tell what was filled into a form, stays as it is."""
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
    """Some archives keep the header of a chunked answer but not its chunks."""
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

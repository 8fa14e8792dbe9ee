"""A file of Postfix's queue -> the mail in it, as a mail; so mail on hold is read where the mail server keeps it."""

from collections.abc import Iterator

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, StoppedError
from extraction.formats import eml
from extraction.limits.budget import Budget
from extraction.media_types import POSTFIX_QUEUE

MEDIA_TYPES = frozenset({POSTFIX_QUEUE})
IS_ARCHIVE = False

_START, _LINE, _PIECE, _JUMP, _END = b"M", b"N", b"L", b"p", b"X"
_LONGEST = 28  # bits of a length


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    message = b"".join(_message(content.data))
    if not message:
        raise StoppedError(Status.FAILED, "no mail in the queue file")
    yield from eml.extract(Content(message, len(message), "", content.fault), budget)


def _message(data: bytes) -> Iterator[bytes]:
    """Its lines, in the order in which the server would send them."""
    inside = False
    for kind, value in _records(data):
        if kind == _START:
            inside = True
        elif kind == _END:
            return
        elif inside and kind == _LINE:
            yield value + b"\n"
        elif inside and kind == _PIECE:
            yield value


def _records(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Changes by a milter are at the end of the file and reached by jumps; no jump is taken twice."""
    at = 0
    taken: set[int] = set()
    while at < len(data):
        kind, start = data[at : at + 1], at
        at, length = _length(data, at + 1)
        value = data[at : at + length]
        at += length
        if kind != _JUMP:
            yield kind, value
        elif value.strip().isdigit() and (target := int(value)) and start not in taken:
            taken.add(start)
            at = target


def _length(data: bytes, at: int) -> tuple[int, int]:
    """The place behind a number in base 128, the lowest digits first, and the number."""
    number = 0
    for shift in range(0, _LONGEST + 1, 7):
        if at >= len(data):
            break
        number |= (data[at] & 0x7F) << shift
        at += 1
        if not data[at - 1] & 0x80:
            break
    return at, number

"""The milter protocol (version 6) on a connection from the mail server -> mails, and answers back about each.

Only what a gate needs: the server is asked to send envelope, headers and body, to wait for nothing before the end of
the mail, and to let the gate add and delete headers and put mails on hold. The server keeps the mail; the gate has a
copy in memory and answers before the server accepts it, so a gate that dies loses nothing.
"""

import asyncio
import struct
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

VERSION = 6
_ADD_HEADERS, _CHANGE_HEADERS, _QUARANTINE = 0x01, 0x10, 0x20
ACTIONS = _ADD_HEADERS | _CHANGE_HEADERS | _QUARANTINE
_NOT_SENT = 0x01 | 0x02 | 0x100 | 0x200  # connection, HELO, unknown commands, DATA
_LEADING_SPACE = 0x100000  # values of headers come as they are
_NO_ANSWER = {b"M": 0x4000, b"R": 0x8000, b"L": 0x80, b"N": 0x40000, b"B": 0x80000}
_STEPS = _NOT_SENT | _LEADING_SPACE | sum(_NO_ANSWER.values())
_OPTIONS = struct.Struct("!III")
_LENGTH = struct.Struct("!I")
_LONGEST_PACKET = 1 << 21
_CONTINUE, _TRY_LATER = b"c", b"t"
HEADER = b"X-Leakscreen"


class Action(StrEnum):
    """What happens to a mail; the later in this list, the stronger."""

    PASS = "pass"  # noqa: S105
    TAG = "tag"
    HOLD = "hold"
    REFUSE = "refuse"
    TRY_LATER = "try-later"


@dataclass(slots=True, repr=False)
class Mail:
    """A mail and its envelope as the server sends them; only the size of a mail that is too large."""

    limit: int
    sender: str = ""
    recipients: list[str] = field(default_factory=list)
    queue_id: str = ""
    size: int = 0
    headers_of_ours: int = 0  # headers that only the gate may write; senders may have forged them
    _parts: list[bytes] = field(default_factory=list)

    def add(self, part: bytes) -> None:
        self.size += len(part)
        if self.is_too_large:
            self._parts.clear()
        else:
            self._parts.append(part)

    @property
    def is_too_large(self) -> bool:
        return self.size > self.limit

    def content(self) -> bytes:
        return b"".join(self._parts)


@dataclass(frozen=True, slots=True)
class Answer:
    """The verdict as the protocol needs it. It contains nothing of the mail's content."""

    action: Action
    header: str = ""  # value of the gate's header; empty means none
    reply: str = ""  # for REFUSE: the words of the refusal


class ProtocolError(Exception):
    """The other side does not speak the milter protocol."""


async def converse(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    limit: int,
    judge: Callable[[Mail], Awaitable[Answer]],
) -> None:
    """All mails of one connection, until the server ends it."""
    session = _Session(writer, limit)
    while True:
        try:
            command, data = await _packet(reader)
        except asyncio.IncompleteReadError:
            return
        if command == b"Q":
            return
        if command == b"E":
            if data:
                session.mail.add(data)
            mail, session.mail = session.mail, Mail(limit)
            answer = await judge(mail)
            writer.write(b"".join(frames_of(answer, mail.headers_of_ours)))
        else:
            session.take(command, data)
        await writer.drain()


class _Session:
    """What has arrived so far of the current mail."""

    def __init__(self, writer: asyncio.StreamWriter, limit: int) -> None:
        self._writer = writer
        self._limit = limit
        self._silent: frozenset[bytes] = frozenset()
        self.mail = Mail(limit)

    def take(self, command: bytes, data: bytes) -> None:
        if command == b"O":
            self._negotiate(data)
            return
        if command in (b"A", b"K"):  # the mail, or the whole connection, is over; neither is answered
            self.mail = Mail(self._limit)
            return
        if command == b"D":
            self._macros(data)
            return
        if command == b"M":
            self.mail = Mail(self._limit, queue_id=self.mail.queue_id)
            self.mail.sender = _address(data)
        elif command == b"R":
            self.mail.recipients.append(_address(data))
        elif command == b"L":
            self._header(data)
        elif command == b"N":
            self.mail.add(b"\r\n")
        elif command == b"B":
            self.mail.add(data)
        if command not in self._silent:
            self._writer.write(_frame(_CONTINUE))

    def _negotiate(self, data: bytes) -> None:
        if len(data) < _OPTIONS.size:
            raise ProtocolError("a negotiation that is too short")
        version, actions, steps = _OPTIONS.unpack_from(data)
        if version < VERSION or actions & ACTIONS != ACTIONS:
            raise ProtocolError("a mail server that can neither hold mails nor add headers; use Postfix 2.6 or later")
        agreed = steps & _STEPS
        self._silent = frozenset(command for command, flag in _NO_ANSWER.items() if agreed & flag)
        self._writer.write(_frame(b"O", _OPTIONS.pack(VERSION, ACTIONS, agreed)))

    def _macros(self, data: bytes) -> None:
        words = data[1:].split(b"\0")
        for name, value in zip(words[::2], words[1::2], strict=False):
            if name.strip(b"{}") == b"i":
                self.mail.queue_id = value.decode("ascii", "replace")

    def _header(self, data: bytes) -> None:
        name, _, value = data.partition(b"\0")
        value = value.removesuffix(b"\0").replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        self.mail.headers_of_ours += name.lower() == HEADER.lower()
        self.mail.add(name + b":" + value + b"\r\n")


async def _packet(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    (length,) = _LENGTH.unpack(await reader.readexactly(_LENGTH.size))
    if not 1 <= length <= _LONGEST_PACKET:
        raise ProtocolError("a packet of an impossible length")
    packet = await reader.readexactly(length)
    return packet[:1], packet[1:]


def _frame(command: bytes, data: bytes = b"") -> bytes:
    return _LENGTH.pack(len(data) + 1) + command + data


def _address(data: bytes) -> str:
    return data.partition(b"\0")[0].strip(b"<>").decode("utf-8", "replace")


def frames_of(answer: Answer, forged: int) -> Sequence[bytes]:
    """Headers first, the verdict last. Forged ones go from the last to the first: a deletion renumbers those behind."""
    if answer.action is Action.TRY_LATER:
        return (_frame(_TRY_LATER),)
    if answer.action is Action.REFUSE:
        return (_frame(b"y", b"550 5.7.1 " + answer.reply.encode("ascii", "replace") + b"\0"),)
    frames = [_frame(b"m", _LENGTH.pack(number) + HEADER + b"\0\0") for number in range(forged, 0, -1)]
    if answer.header:
        frames.append(_frame(b"h", HEADER + b"\0 " + answer.header.encode("ascii", "replace") + b"\0"))
    if answer.action is Action.HOLD:
        frames.append(_frame(b"q", b"held by leakscreen\0"))
    return (*frames, _frame(_CONTINUE))

"""Two questions that Windows answers by remote procedure calls over a pipe: the names of SIDs, the list of a share.

Only what these two calls need of DCE/RPC and its encoding (NDR): no authentication of its own, one call at a time.
"""

import struct
from collections.abc import Callable, Sequence
from uuid import UUID

Transceive = Callable[[bytes], bytes]  # one message to the pipe -> one message from it
LSA = "lsarpc", UUID("12345778-1234-abcd-ef00-0123456789ab"), 0
SHARES = "srvsvc", UUID("4b324fc8-1670-01d3-1278-5a47bf6ee188"), 3
_NDR = UUID("8a885d04-1ceb-11c9-9fe8-08002b104860")
_HEADER = struct.Struct("<BBBB4sHHI")
_BIND, _BOUND, _REQUEST, _RESPONSE = 11, 12, 0, 2
_FIRST, _LAST = 0x01, 0x02
_FORM = b"\x10\0\0\0"  # little-endian, ASCII, IEEE
_REFERENT = 0x0002_0000
_USER = 1  # kind of a name
SOME_NOT_MAPPED, NONE_MAPPED = 0x107, 0xC000_0073


class RpcError(Exception):
    """The server refused, or answered what was not asked."""


class Rpc:
    """A pipe that is bound to one interface."""

    def __init__(self, transceive: Transceive, interface: UUID, version: int) -> None:
        self._transceive = transceive
        self._calls = 0
        contexts = struct.pack("<BxHHBx16sI16sI", 1, 0, 0, 1, interface.bytes_le, version, _NDR.bytes_le, 2)
        kind, _ = self._asked(_BIND, struct.pack("<HHI", 4280, 4280, 0) + contexts)
        if kind != _BOUND:
            raise RpcError("not bound")

    def call(self, number: int, stub: bytes) -> bytes:
        kind, body = self._asked(_REQUEST, struct.pack("<IHH", len(stub), 0, number) + stub)
        if kind != _RESPONSE:
            raise RpcError("refused")
        return body

    def _asked(self, kind: int, body: bytes) -> tuple[int, bytes]:
        self._calls += 1
        head = _HEADER.pack(5, 0, kind, _FIRST | _LAST, _FORM, _HEADER.size + len(body), 0, self._calls)
        message = self._transceive(head + body)
        parts = []
        while True:
            if len(message) < _HEADER.size:
                raise RpcError("an answer that is too short")
            _, _, answered, flags, _, length, _, _ = _HEADER.unpack_from(message)
            while len(message) < length:
                message += self._transceive(b"")
            parts.append(message[_HEADER.size + 8 : length])  # each fragment repeats its own small header
            if flags & _LAST:
                return answered, b"".join(parts)
            message = message[length:] or self._transceive(b"")


def names_of(rpc: Rpc, sids: Sequence[str]) -> dict[str, tuple[str, bool]]:
    """The name of each SID that the server knows, and whether it is that of a user."""
    attributes = struct.pack("<IIIIII", 24, 0, 0, 0, 0, 0)
    opened = rpc.call(44, struct.pack("<I", 0) + attributes + struct.pack("<I", 0x800))  # the right to look up names
    handle, (status,) = opened[:20], struct.unpack_from("<I", opened, 20)
    if status:
        raise RpcError("refused")
    stub = handle + struct.pack("<III", len(sids), _REFERENT, len(sids))
    stub += b"".join(struct.pack("<I", _REFERENT + 4 * (number + 1)) for number in range(len(sids)))
    stub += b"".join(_packed_sid(sid) for sid in sids) + struct.pack("<IIHHI", 0, 0, 1, 0, 0)
    answer = _Reader(rpc.call(15, stub))
    domains = _domains(answer)
    if not answer.number() or not answer.number():
        return {}
    entries = [(answer.short(), answer.short(), answer.text_header(), answer.number()) for _ in range(answer.number())]
    found: dict[str, tuple[str, bool]] = {}
    for sid, (kind, _, has_name, domain) in zip(sids, entries, strict=False):
        name = answer.text() if has_name else ""
        if name and kind not in (7, 8):  # invalid, unknown
            within = domains[domain] if domain < len(domains) else ""
            found[sid] = (f"{within}\\{name}" if within else name, kind == _USER)
    return found


def list_of_share(rpc: Rpc, share: str) -> bytes:
    """The security descriptor of a share; empty where the server does not show it, as Samba to many users."""
    answer = _Reader(rpc.call(16, struct.pack("<I", 0) + _packed_text(share) + struct.pack("<I", 502)))
    if answer.number() != 502 or not answer.number():
        raise RpcError("refused")
    fields = [answer.number() for _ in range(10)]
    for at in (0, 2, 6, 7):  # name, remark, path, password
        if fields[at]:
            answer.text()
    return answer.octets() if fields[9] else b""


def _domains(answer: "_Reader") -> list[str]:
    if not answer.number():
        return []
    count, has_any, _ = answer.number(), answer.number(), answer.number()
    if not has_any:
        return []
    heads = [(answer.text_header(), answer.number()) for _ in range(min(count, answer.number()))]
    names = []
    for has_name, has_sid in heads:
        names.append(answer.text() if has_name else "")
        if has_sid:
            answer.skip(8 + 4 * answer.number())
    return names


def _packed_sid(sid: str) -> bytes:
    revision, authority, *parts = (int(part) for part in sid.split("-")[1:])
    head = struct.pack("<IBB", len(parts), revision, len(parts)) + authority.to_bytes(6, "big")
    return head + struct.pack(f"<{len(parts)}I", *parts)


def _packed_text(text: str) -> bytes:
    raw = f"{text}\0".encode("utf-16-le")
    count = len(raw) // 2
    return struct.pack("<III", count, 0, count) + raw + b"\0" * (-len(raw) % 4)


class _Reader:
    """Values of an answer one after the other, each at its boundary."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        self._at = 0

    def number(self) -> int:
        self._at += -self._at % 4
        return int(self._unpacked("<I", 4))

    def short(self) -> int:
        return int(self._unpacked("<H", 2))

    def text_header(self) -> int:
        """Lengths and a pointer; 0 where no text follows."""
        self._at += -self._at % 4
        self.skip(4)
        return self.number()

    def text(self) -> str:
        _, _, count = self.number(), self.number(), self.number()
        raw = self._raw[self._at : self._at + 2 * count]
        self.skip(2 * count)
        return raw.decode("utf-16-le", "replace").rstrip("\0")

    def octets(self) -> bytes:
        count = self.number()
        self.skip(count)
        return self._raw[self._at - count : self._at]

    def skip(self, count: int) -> None:
        self._at += count

    def _unpacked(self, form: str, size: int) -> int:
        if self._at + size > len(self._raw):
            raise RpcError("an answer that is too short")
        (value,) = struct.unpack_from(form, self._raw, self._at)
        self._at += size
        return int(value)

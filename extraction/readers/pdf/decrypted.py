"""An encrypted PDF that opens -> the same objects without encryption, also those that are replaced or unused."""

import hashlib
import re
from collections.abc import Callable
from typing import Any

from extraction.content import Content
from extraction.lazy_import import LazyModule
from extraction.limits.budget import Budget
from extraction.readers.pdf.raw_objects import MOST_BYTES_IN_STREAMS, RawObject, outer_objects, within_stream
from extraction.readers.pdf.stream_filters import unfiltered
from extraction.readers.pdf.strings import with_strings

NOT_DECRYPTED = "an encrypted part in it"
_HEADER = b"%PDF-1.7\n"
_DOCUMENT = LazyModule("pdfminer.pdfdocument")
_PARSER = LazyModule("pdfminer.pdfparser")
_CIPHERS = LazyModule("cryptography.hazmat.primitives.ciphers")
_OLD_CIPHERS = LazyModule("cryptography.hazmat.decrepit.ciphers.algorithms")
_LONGEST_KEY = _BLOCK = 16  # bytes
_LOCK = re.compile(rb"/Encrypt\s{1,8}(\d{1,8})\s{1,8}\d{1,5}\s{1,8}R\b")
_ROOT = re.compile(rb"/Root\s{1,8}\d{1,8}\s{1,8}\d{1,5}\s{1,8}R\b")
_NEVER_ENCRYPTED = re.compile(rb"/Type\s*/XRef\b|/Crypt\b")
_METADATA = re.compile(rb"/Type\s*/Metadata\b")
_LENGTH = re.compile(rb"/Length\s{1,8}\d{1,10}(?:\s{1,8}\d{1,5}\s{1,8}R\b)?")

Decrypt = Callable[[int, int, bytes], bytes]  # of an object's number, its generation and bytes in it


def decrypted(content: Content, password: str, budget: Budget) -> bytes | None:
    """Objects of object streams stand alone; the table has the last of each number. None if the method is unknown."""
    handler = _handler(content, password)
    decrypt = _decrypt(handler) if handler is not None else None
    data = content.data
    roots = _ROOT.findall(data)
    if decrypt is None or not roots:
        return None
    locks = {int(number) for number in _LOCK.findall(data)}
    writer = _Writer()
    end = 0
    for begin, entry, after in outer_objects(data):
        writer.between(data[end:begin])
        end = after
        is_open = _NEVER_ENCRYPTED.search(entry.head) or (
            _METADATA.search(entry.head) and not getattr(handler, "encrypt_metadata", True)
        )
        if entry.number not in locks:
            writer.add(entry, data[entry.start : entry.end], _as_it_is if is_open else decrypt)
    writer.between(data[end:])
    plain = writer.ended(roots[-1])
    budget.expand(len(plain))
    return plain


class _Writer:
    """Puts a file together from objects and what lies between them."""

    def __init__(self) -> None:
        self._parts = [_HEADER]
        self._size = len(_HEADER)
        self._places: dict[int, int] = {}
        self._room = MOST_BYTES_IN_STREAMS

    def between(self, gap: bytes) -> None:
        """Comments, tables and trailers; the last table and trailer will be others."""
        self._append(gap.replace(b"/Encrypt", b"/Without") + b"\n")

    def add(self, entry: RawObject, stream: bytes, decrypt: Decrypt) -> None:
        head = with_strings(entry.head, lambda string: decrypt(entry.number, entry.generation, string))
        if not entry.has_stream:
            self._object(entry.number, head)
            return
        plain = decrypt(entry.number, entry.generation, _trimmed(stream, head))
        unpacked = unfiltered(plain, head, self._room) if b"/ObjStm" in head else None
        if unpacked is None or len(unpacked) > self._room:
            head = _LENGTH.sub(b"/Length %d" % len(plain), head.replace(b"/Encrypt", b"/Without"))
            self._object(entry.number, head + b"stream\n" + plain + b"\nendstream")
            return
        self._room -= len(unpacked)
        for held in within_stream(unpacked, head):
            self._object(held.number, b"\n" + held.head)

    def ended(self, root: bytes) -> bytes:
        table = b"".join(b"%d 1\n%010d 00000 n \n" % (number, place) for number, place in sorted(self._places.items()))
        trailer = b"trailer << /Size %d %s >>\nstartxref\n%d\n%%%%EOF\n"
        return b"".join(
            [*self._parts, b"xref\n", table, trailer % (max(self._places, default=0) + 1, root, self._size)]
        )

    def _object(self, number: int, body: bytes) -> None:
        self._places[number] = self._size
        self._append(b"%d 0 obj%s\nendobj\n" % (number, body))

    def _append(self, part: bytes) -> None:
        self._parts.append(part)
        self._size += len(part)


def _trimmed(stream: bytes, head: bytes) -> bytes:
    """Without the line end before `endstream`, which is not encrypted."""
    length = _LENGTH.search(head)
    said = int(length[0].split()[1]) if length and not length[0].endswith(b"R") else 0
    if 0 < said <= len(stream) <= said + len(b"\r\n"):
        return stream[:said]
    return stream.removesuffix(b"\n").removesuffix(b"\r")


def _handler(content: Content, password: str) -> Any:
    """That of pdfminer, which finds the key; None if it does not know the method."""
    try:
        document = _DOCUMENT.load().PDFDocument(_PARSER.load().PDFParser(content.file()), password)
        return document.decipher.__self__
    except Exception:  # whatever it is that PDFium makes up for
        return None


def _decrypt(handler: Any) -> Decrypt | None:
    ways = getattr(handler, "cfm", None)
    way = (ways.get(handler.strf) if ways else handler.decrypt_rc4).__name__
    if way == "decrypt_identity":
        return _as_it_is
    if way not in ("decrypt_rc4", "decrypt_aes128", "decrypt_aes256"):
        return None
    key = bytes(handler.key)

    def decrypt(number: int, generation: int, data: bytes) -> bytes:
        if way == "decrypt_aes256":
            return _by_aes(key, data)
        own = key + number.to_bytes(3, "little") + generation.to_bytes(2, "little")
        length = min(len(own), _LONGEST_KEY)
        if way == "decrypt_aes128":
            return _by_aes(hashlib.md5(own + b"sAlT", usedforsecurity=False).digest()[:length], data)
        return _by_rc4(hashlib.md5(own, usedforsecurity=False).digest()[:length], data)

    return decrypt


def _as_it_is(number: int, generation: int, data: bytes) -> bytes:
    return data


def _by_rc4(key: bytes, data: bytes) -> bytes:
    return bytes(_CIPHERS.load().Cipher(_OLD_CIPHERS.load().ARC4(key), None).decryptor().update(data))


def _by_aes(key: bytes, data: bytes) -> bytes:
    """As much as there are whole blocks of; the first is the vector, and the last bytes say how many fill it up."""
    ciphers = _CIPHERS.load()
    vector, blocks = data[:_BLOCK], data[_BLOCK : len(data) // _BLOCK * _BLOCK]
    if not blocks:
        return b""
    plain = bytes(ciphers.Cipher(ciphers.algorithms.AES(key), ciphers.modes.CBC(vector)).decryptor().update(blocks))
    return plain[: -plain[-1]] if 0 < plain[-1] <= _BLOCK else plain

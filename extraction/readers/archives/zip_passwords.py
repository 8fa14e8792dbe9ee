"""Locked entry of a zip file and passwords -> its Content, if one of them fits."""

import hashlib
import hmac
import lzma
import struct
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

from extraction.content import Content
from extraction.lazy_import import LazyModule
from extraction.limits.budget import Budget
from extraction.readers.streams.read_member import embedded_content, read_member

AES = 99
_STRONG = 0x40 | 0x2000
_CIPHERS = LazyModule("cryptography.hazmat.primitives.ciphers")
_AES_FIELD = 0x9901
_ROUNDS, _VERIFIER, _CHECK = 1_000, 2, 10
_BLOCKS = 4_096  # that are unlocked at once
_PIECE = 1 << 14  # a small piece can only expand so far


def unlocked_entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget) -> Content | None:
    if info.flag_bits & _STRONG:
        return None
    for password in budget.passwords:
        by = _by_aes if info.compress_type == AES else _by_old_cipher
        try:
            content = by(archive, info, password.encode(), budget)
        except (RuntimeError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, NotImplementedError, EOFError):
            continue
        if content is not None:
            return content
    return None


def _by_old_cipher(archive: zipfile.ZipFile, info: zipfile.ZipInfo, password: bytes, budget: Budget) -> Content | None:
    """One in 256 wrong passwords passes the first check; the checksum of the whole refuses it."""
    with archive.open(info, pwd=password) as stream:
        content = read_member(stream, info.filename, budget)
    return None if content.fault.startswith("corrupt") else content


def _by_aes(archive: zipfile.ZipFile, info: zipfile.ZipInfo, password: bytes, budget: Budget) -> Content | None:
    strength, method = _aes_field(info.extra)
    key_length, salt_length = 8 + 8 * strength, 4 + 4 * strength
    locked = _stored(archive, info)
    salt, verifier = locked[:salt_length], locked[salt_length : salt_length + _VERIFIER]
    keys = hashlib.pbkdf2_hmac("sha1", password, salt, _ROUNDS, 2 * key_length + _VERIFIER)
    if keys[2 * key_length :] != verifier:
        return None
    body, check = locked[salt_length + _VERIFIER : -_CHECK], locked[-_CHECK:]
    if not hmac.compare_digest(hmac.digest(keys[key_length : 2 * key_length], body, "sha1")[:_CHECK], check):
        return None
    packed = _without_cipher(body, keys[:key_length])
    if method == zipfile.ZIP_STORED:
        return embedded_content(packed, budget, info.filename)
    if method != zipfile.ZIP_DEFLATED:
        return None
    return read_member(_Inflated(packed), info.filename, budget)


def _aes_field(extra: bytes) -> tuple[int, int]:
    while len(extra) >= 4:
        kind, length = struct.unpack_from("<HH", extra)
        if kind == _AES_FIELD and length >= 7 and extra[8] in (1, 2, 3):
            return extra[8], int.from_bytes(extra[9:11], "little")
        extra = extra[4 + length :]
    raise zipfile.BadZipFile


def _stored(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    file = archive.fp
    if file is None:
        raise zipfile.BadZipFile
    file.seek(info.header_offset)
    header = file.read(30)
    if len(header) < 30:
        raise zipfile.BadZipFile
    file.seek(info.header_offset + 30 + sum(struct.unpack_from("<HH", header, 26)))
    return file.read(info.compress_size)


def _without_cipher(body: bytes, key: bytes) -> bytes:
    """AES in counter mode, with a counter that begins at 1 and has its low byte first."""
    ciphers: Any = _CIPHERS.load()
    encrypt: Callable[[bytes], bytes] = (
        ciphers.Cipher(ciphers.algorithms.AES(key), ciphers.modes.ECB()).encryptor().update
    )
    pieces = []
    for start in range(0, len(body), 16 * _BLOCKS):
        piece = body[start : start + 16 * _BLOCKS]
        first = start // 16 + 1
        counters = b"".join(number.to_bytes(16, "little") for number in range(first, first + (len(piece) + 15) // 16))
        stream = encrypt(counters)[: len(piece)]
        pieces.append((int.from_bytes(piece, "big") ^ int.from_bytes(stream, "big")).to_bytes(len(piece), "big"))
    return b"".join(pieces)


class _Inflated:
    def __init__(self, packed: bytes) -> None:
        self._packed = packed
        self._place = 0
        self._decompressor = zlib.decompressobj(-zlib.MAX_WBITS)

    def read(self, count: int, /) -> bytes:
        while not self._decompressor.eof:
            packed = self._decompressor.unconsumed_tail
            if not packed:
                packed = self._packed[self._place : self._place + _PIECE]
                self._place += len(packed)
            if not packed:
                raise EOFError
            if piece := self._decompressor.decompress(packed, count):
                return piece
        return b""

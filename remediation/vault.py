"""A file's bytes and metadata -> one sealed file of the vault, by AES-GCM in pieces, and back."""

import hashlib
import json
import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from core.atomic import PRIVATE
from core.errors import RemediationError
from remediation.journal import sync_folder

KEY_IN_ENV = "LEAKSCREEN_VAULT_KEY"
KEY_NAME = "vault.key"
_MAGIC = b"leakscreen vault 1\n"
_SALT, _TAG, _PIECE = 32, 16, 1 << 20
_LENGTH = struct.Struct(">I")


@dataclass(frozen=True, slots=True)
class Vault:
    """Each file has a key of its own, made of the vault's key and a salt; a piece is bound to its place and the end.

    A file in passage, in or out, is a `.part`; only one without is held.
    """

    folder: Path
    key: bytes

    def seal(self, id: str, chunks: Iterator[bytes], metadata: dict[str, Any]) -> str:
        """Writes the `.part`, whole and on the disk; returns the hash of the content."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self._held(id).exists():
            raise RemediationError(f"{self._held(id)}: is in the vault already")
        self.discard(id)
        digest = hashlib.sha256()
        descriptor = os.open(self._part(id), os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE)
        with os.fdopen(descriptor, "wb") as file:
            self._write(file, _stream(chunks, metadata, digest))
            file.flush()
            os.fsync(file.fileno())
        sync_folder(self.folder)
        return digest.hexdigest()

    def hold(self, id: str) -> None:
        """From now on the file is in the vault; no change where it is already."""
        if self._part(id).exists():
            os.rename(self._part(id), self._held(id))
            sync_folder(self.folder)

    def release(self, id: str) -> None:
        """From now on the file is on its way out."""
        if self._held(id).exists():
            os.rename(self._held(id), self._part(id))
            sync_folder(self.folder)

    def discard(self, id: str) -> None:
        """Removes what is in passage, never what is held."""
        self._part(id).unlink(missing_ok=True)

    def remove(self, id: str) -> None:
        """What nobody needs any more, held or not."""
        self._held(id).unlink(missing_ok=True)
        self.discard(id)

    def holds(self, id: str) -> bool:
        return self._held(id).exists()

    def content_hash(self, id: str) -> str | None:
        """Of what was sealed, after every piece was checked; None where it is missing, damaged or cut off."""
        digest = hashlib.sha256()
        try:
            for piece in self.open(id)[1]:
                digest.update(piece)
        except (RemediationError, OSError):
            return None
        return digest.hexdigest()

    def open(self, id: str) -> tuple[dict[str, Any], Iterator[bytes]]:
        """The metadata, and the content piece by piece."""
        path = self._held(id) if self._held(id).exists() else self._part(id)
        pieces = self._pieces(path)
        first = next(pieces, b"")
        try:
            end = _LENGTH.size + _LENGTH.unpack_from(first)[0]
            while len(first) < end:
                first += next(pieces)
            metadata: dict[str, Any] = json.loads(first[_LENGTH.size : end])
        except (struct.error, ValueError, StopIteration):
            raise _damaged(path) from None
        return metadata, _rest(first[end:], pieces)

    def _held(self, id: str) -> Path:
        return self.folder / f"{id}.sealed"

    def _part(self, id: str) -> Path:
        return self.folder / f"{id}.part"

    def _write(self, file: BinaryIO, stream: Iterator[bytes]) -> None:
        salt = os.urandom(_SALT)
        cipher = self._cipher(salt)
        file.write(_MAGIC + salt)
        pending, number = b"", 0
        for chunk in stream:
            pending += chunk
            while len(pending) > _PIECE:  # what is exactly one piece may be the last
                file.write(cipher.encrypt(_nonce(number, False), pending[:_PIECE], _MAGIC))
                pending, number = pending[_PIECE:], number + 1
        file.write(cipher.encrypt(_nonce(number, True), pending, _MAGIC))

    def _pieces(self, path: Path) -> Iterator[bytes]:
        with path.open("rb") as file:
            head = file.read(len(_MAGIC) + _SALT)
            if not head.startswith(_MAGIC) or len(head) < len(_MAGIC) + _SALT:
                raise _damaged(path)
            cipher, number = self._cipher(head[len(_MAGIC) :]), 0
            sealed = file.read(_PIECE + _TAG)
            while True:
                following = file.read(_PIECE + _TAG)
                try:
                    yield cipher.decrypt(_nonce(number, not following), sealed, _MAGIC)
                except InvalidTag:
                    raise _damaged(path) from None
                if not following:
                    return
                sealed, number = following, number + 1

    def _cipher(self, salt: bytes) -> AESGCM:
        return AESGCM(HKDF(SHA256(), 32, salt, b"leakscreen vault file").derive(self.key))


def _stream(chunks: Iterator[bytes], metadata: dict[str, Any], digest: Any) -> Iterator[bytes]:
    described = json.dumps(metadata).encode()
    yield _LENGTH.pack(len(described)) + described
    for chunk in chunks:
        digest.update(chunk)
        yield chunk


def _rest(first: bytes, pieces: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from pieces


def _nonce(number: int, last: bool) -> bytes:
    return number.to_bytes(11, "big") + bytes([last])


def _damaged(path: Path) -> RemediationError:
    return RemediationError(f"{path}: cannot be opened: damaged, cut off, or sealed with another key; see act.key_file")

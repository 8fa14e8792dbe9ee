"""Which value became which replacement -> an encrypted file, and back; it is written only if somebody asks for it."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from core.atomic import write_atomically
from core.errors import OutputError, SettingsError

PASSPHRASE_IN_ENV = "LEAKSCREEN_MAPPING_PASSPHRASE"  # noqa: S105 - the name, not the passphrase
_MARK = b"leakscreen mapping 1\n"
_SALT, _NONCE = 16, 12
_LEAST = 12  # characters
_SHORTEST = len(_MARK) + _SALT + _NONCE


def passphrase_of(environ: Mapping[str, str]) -> str:
    passphrase = environ.get(PASSPHRASE_IN_ENV, "")
    if len(passphrase) < _LEAST:
        raise SettingsError(
            f"a mapping is always encrypted: set {PASSPHRASE_IN_ENV} to a passphrase of at least {_LEAST} characters"
        )
    return passphrase


def write_mapping(path: Path, mapping: Mapping[tuple[str, str], str], passphrase: str) -> None:
    rows = [[characteristic, value, made] for (characteristic, value), made in sorted(mapping.items())]
    salt, nonce = os.urandom(_SALT), os.urandom(_NONCE)
    sealed = AESGCM(_key(passphrase, salt)).encrypt(nonce, json.dumps(rows).encode(), _MARK)
    try:
        write_atomically(path, _MARK + salt + nonce + sealed)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {(error.strerror or type(error).__name__).lower()}") from None


def read_mapping(path: Path, passphrase: str) -> list[tuple[str, str, str]]:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise OutputError(f"{path}: cannot be read: {(error.strerror or type(error).__name__).lower()}") from None
    if not content.startswith(_MARK) or len(content) < _SHORTEST:
        raise OutputError(f"{path}: no mapping of leakscreen")
    salt, nonce, sealed = (
        content[len(_MARK) : len(_MARK) + _SALT],
        content[len(_MARK) + _SALT : _SHORTEST],
        content[_SHORTEST:],
    )
    try:
        rows = json.loads(AESGCM(_key(passphrase, salt)).decrypt(nonce, sealed, _MARK))
    except InvalidTag:
        raise OutputError(f"{path}: the passphrase is wrong, or the file was changed") from None
    return [(characteristic, value, made) for characteristic, value, made in rows]


def _key(passphrase: str, salt: bytes) -> bytes:
    return Scrypt(salt=salt, length=32, n=2**15, r=8, p=1).derive(passphrase.encode())

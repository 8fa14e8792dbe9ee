"""Bytes and a passphrase -> sealed bytes, and back: AES-256-GCM under a key that scrypt makes of the passphrase."""

import os
from collections.abc import Mapping

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from core.errors import SettingsError

_SALT, _NONCE = 16, 12
_LEAST = 12  # characters


class SealError(Exception):
    """Not sealed so, changed, or another passphrase; the message says which, as far as that can be known."""


def passphrase_of(environ: Mapping[str, str], name: str, what: str) -> str:
    """Of the environment variable of that name; `what` is always sealed, so there is no way without."""
    passphrase = environ.get(name, "")
    if len(passphrase) < _LEAST:
        raise SettingsError(f"{what} is always encrypted: set {name} to a passphrase of at least {_LEAST} characters")
    return passphrase


def seal(content: bytes, passphrase: str, mark: bytes) -> bytes:
    """`mark` opens the result and says what it is."""
    salt, nonce = os.urandom(_SALT), os.urandom(_NONCE)
    return mark + salt + nonce + AESGCM(_key(passphrase, salt)).encrypt(nonce, content, mark)


def unseal(sealed: bytes, passphrase: str, mark: bytes) -> bytes:
    start = len(mark) + _SALT
    if not sealed.startswith(mark) or len(sealed) < start + _NONCE:
        raise SealError("something else")
    salt, nonce = sealed[len(mark) : start], sealed[start : start + _NONCE]
    try:
        return AESGCM(_key(passphrase, salt)).decrypt(nonce, sealed[start + _NONCE :], mark)
    except InvalidTag:
        raise SealError("the passphrase is wrong, or the file was changed") from None


def _key(passphrase: str, salt: bytes) -> bytes:
    return Scrypt(salt=salt, length=32, n=2**15, r=8, p=1).derive(passphrase.encode())

"""The key information of an encrypted Office document and a password -> the key, None if the password is wrong."""

import hashlib
import hmac
import struct
from collections.abc import Mapping
from typing import Any

from extraction.lazy_import import LazyModule

_CIPHERS = LazyModule("cryptography.hazmat.primitives.ciphers")
_VERIFIER_INPUT = bytes.fromhex("fea7d2763b4b9e79")
_VERIFIER_HASH = bytes.fromhex("d7aa0f6d3061344e")
_KEY_VALUE = bytes.fromhex("146e0be7abacd0d6")
_ALGORITHMS = {"SHA1": hashlib.sha1, "SHA256": hashlib.sha256, "SHA384": hashlib.sha384, "SHA512": hashlib.sha512}
_COUNTER = struct.Struct("<I")


def agile_key(info: Mapping[str, Any], password: str) -> bytes | None:
    """Hashes the password once, for the check and for the key: the rounds are nearly all of the work."""
    new_hash = _ALGORITHMS[info["passwordHashAlgorithm"]]
    salt: bytes = info["passwordSalt"]
    rounds = new_hash(salt + password.encode("utf-16-le")).digest()
    count = _COUNTER.pack
    for number in range(info["spinValue"]):
        rounds = new_hash(count(number) + rounds).digest()

    ciphers = _CIPHERS.load()

    def decrypt(block: bytes, locked: bytes) -> bytes:
        length = info["passwordKeyBits"] // 8
        key = new_hash(rounds + block).digest()[:length].ljust(length, b"\x36")
        decryptor = ciphers.Cipher(
            ciphers.algorithms.AES(key), ciphers.modes.CBC(salt[:16].ljust(16, b"\x36"))
        ).decryptor()
        return bytes(decryptor.update(locked) + decryptor.finalize())

    expected = decrypt(_VERIFIER_HASH, info["encryptedVerifierHashValue"])
    digest = new_hash(decrypt(_VERIFIER_INPUT, info["encryptedVerifierHashInput"])).digest()
    if not hmac.compare_digest(digest, expected[: len(digest)]):
        return None
    return decrypt(_KEY_VALUE, info["encryptedKeyValue"])

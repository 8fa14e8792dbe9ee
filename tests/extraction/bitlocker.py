"""A plain volume and a password -> the same volume locked as BitLocker does it (AES-XTS, 128 bits).

No tool on Linux makes such a volume. `cryptsetup bitlkDump` and `bitlkOpen --test-passphrase` accept what this writes.
"""

import hashlib
import os
import struct
import zlib

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM

SECTOR, METADATA, MOVED = 512, 65_536, 8_192  # bytes of a sector, of a metadata block, of the header that is moved
_GUID = bytes.fromhex("3bd66749292ed84a8399f6a339e3d001")
_XTS_128, _CCM = 0x8004, 0x2000
_CLEAR, _PASSWORD = 0x0000, 0x2000
_KEY, _STRETCH, _ENCRYPTED_KEY, _MASTER_KEY, _RANGE = 0x01, 0x03, 0x05, 0x08, 0x0F
_ROUNDS = 1 << 20
_THEN = 132_539_328_000_000_000  # 2021-01-01, as Windows counts


def locked(plain: bytes, password: str | None) -> bytes:
    """The metadata follow the plain volume, where no file can be. Without a password the key is in the clear."""
    master, volume_key = os.urandom(32), os.urandom(32)
    places = [len(plain) + number * METADATA for number in range(3)]
    moved = places[-1] + METADATA
    size = moved + MOVED
    if password is None:
        protection, key = _CLEAR, os.urandom(32)
        unlocking = _entry(0, _KEY, struct.pack("<I", _CCM) + key)
    else:
        protection, salt = _PASSWORD, os.urandom(16)
        key = _stretched(password, salt)
        unlocking = _entry(0, _STRETCH, struct.pack("<I", 0x1000) + salt)
    unlocking += _entry(0, _ENCRYPTED_KEY, _wrapped(key, master, _CCM, 1))
    entries = _entry(2, _MASTER_KEY, os.urandom(16) + struct.pack("<QHH", _THEN, 0, protection) + unlocking)
    entries += _entry(3, _ENCRYPTED_KEY, _wrapped(master, volume_key, _XTS_128, 2))
    entries += _entry(0x0F, _RANGE, struct.pack("<QQ", moved, MOVED))
    block = _block(entries, places, moved, size)
    image = bytearray(_encrypted(plain, 0, volume_key))
    image[:MOVED] = _first_sector(places, size).ljust(MOVED, b"\0")
    for _ in places:
        image += block.ljust(METADATA, b"\0")
    return bytes(image + _encrypted(plain[:MOVED], moved, volume_key))


def _entry(kind: int, value: int, data: bytes) -> bytes:
    return struct.pack("<HHHH", 8 + len(data), kind, value, 1) + data


def _wrapped(key: bytes, content: bytes, method: int, counter: int) -> bytes:
    """A key within a key: time and counter are the nonce, and the tag comes before what it protects."""
    nonce = struct.pack("<QI", _THEN, counter)
    sealed = AESCCM(key, tag_length=16).encrypt(
        nonce, struct.pack("<III", 12 + len(content), 1, method) + content, None
    )
    return nonce + sealed[-16:] + sealed[:-16]


def _stretched(password: str, salt: bytes) -> bytes:
    first = hashlib.sha256(hashlib.sha256(password.encode("utf-16-le")).digest()).digest()
    last, middle = bytes(32), first + salt
    for number in range(_ROUNDS):
        last = hashlib.sha256(last + middle + number.to_bytes(8, "little")).digest()
    return last


def _block(entries: bytes, places: list[int], moved: int, size: int) -> bytes:
    length = 48 + len(entries)
    header = struct.pack("<IIII16sIIQ", length, 1, 48, length, os.urandom(16), 3, _XTS_128, _THEN)
    whole = 64 + length
    begin = struct.pack("<8sHHHHQII", b"-FVE-FS-", -(-whole // 16), 2, 4, 4, size, 0, MOVED // SECTOR)
    block = begin + struct.pack("<QQQQ", *places, moved) + header + entries
    block = block.ljust(-(-whole // 16) * 16, b"\0")
    return block + struct.pack("<HHI", 8, 2, zlib.crc32(block))


def _first_sector(places: list[int], size: int) -> bytes:
    sector = bytearray(SECTOR)
    sector[:11] = b"\xeb\x58\x90-FVE-FS-"
    struct.pack_into("<HBHBHHBHHHI", sector, 11, SECTOR, 8, 0, 0, 0, 0, 0xF8, 0, 63, 255, 0)
    struct.pack_into("<I", sector, 32, size // SECTOR)
    sector[160:176] = _GUID
    struct.pack_into("<QQQ", sector, 176, *places)
    sector[510:] = b"\x55\xaa"
    return bytes(sector)


def _encrypted(plain: bytes, place: int, key: bytes) -> bytes:
    pieces = []
    for at in range(0, len(plain), SECTOR):
        tweak = ((place + at) // SECTOR).to_bytes(16, "little")
        pieces.append(Cipher(algorithms.AES(key), modes.XTS(tweak)).encryptor().update(plain[at : at + SECTOR]))
    return b"".join(pieces)

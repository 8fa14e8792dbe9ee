"""Locked 7z archive and passwords -> the same archive without its lock, if one fits; libarchive reads the rest."""

import functools
import hashlib
import io
import lzma
import struct
import time
from dataclasses import replace
from typing import Any

from extraction.content import Content
from extraction.lazy_import import LazyModule
from extraction.limits.budget import Budget
from extraction.readers.archives.libarchive import Archive, ArchiveError, library
from extraction.readers.archives.seven_zip import (
    AES,
    COPY,
    SIGNATURE,
    Coder,
    Folder,
    HeaderError,
    packed_streams,
    read_header,
    write_archive,
)

MOST_ROUNDS = 22  # as a power of two: 7-Zip uses 19, a hostile file may demand 62
_SHARE = 0.5  # of the seconds of a file, for all passwords
_AT_ONCE = 1 << 12  # rounds
_LONGEST_CHECK = 1 << 26
_CIPHERS = LazyModule("cryptography.hazmat.primitives.ciphers")
_FAULTS = (HeaderError, ValueError, EOFError, IndexError, struct.error, lzma.LZMAError, ArchiveError)


def unlocked_archive(content: Content, budget: Budget) -> Content | None:
    """Needs all of the archive in memory."""
    if not content.data.startswith(SIGNATURE) or content.descriptor is not None or content.fault:
        return None
    locked = _first_locked(content.data)
    if locked is None:
        return None
    deadline = time.monotonic() + _SHARE * budget.limits.file_seconds
    for password in budget.passwords:
        if time.monotonic() > deadline:
            return None
        try:
            data = _without_lock(content.data, password)
            if _is_sound(data, locked):
                return Content(data, content.size, content.name)
        except _FAULTS:
            continue
    return None


def _first_locked(data: bytes) -> int | None:
    """The number of the first locked file; 0 if the files cannot even be listed, None if nothing is locked."""
    archive = _opened(data)
    try:
        for number, entry in enumerate(archive.entries()):
            if entry.is_encrypted and entry.size:
                return number
    except ArchiveError:
        return 0
    finally:
        archive.close()
    return None


def _is_sound(data: bytes, wanted: int) -> bool:
    """Whether a file unpacks to what its checksum says: a wrong password yields bytes as well."""
    archive = _opened(data)
    try:
        for number, entry in enumerate(archive.entries()):
            if number >= wanted and entry.is_file and entry.size:
                left = _LONGEST_CHECK
                while left > 0 and (piece := entry.read(0)):
                    left -= len(piece)
                return not archive.has_warned
    finally:
        archive.close()
    return True


def _opened(data: bytes) -> Archive:
    loaded = library()
    if loaded is None:
        raise ArchiveError
    return Archive(loaded, io.BytesIO(data), ("format_7zip",))


def _without_lock(data: bytes, password: str) -> bytes:
    header = read_header(data, lambda coder, locked: _decrypted(coder, locked, password))
    streams = header.streams
    packed = packed_streams(data, streams)
    folders: list[Folder] = []
    first = 0
    for folder in streams.folders:
        count = len(folder.packed)
        opened, packed[first : first + count] = _opened_folder(folder, packed[first : first + count], password)
        folders.append(opened)
        first += count
    return write_archive(replace(header, streams=replace(streams, folders=tuple(folders))), packed)


def _opened_folder(folder: Folder, packed: list[bytes], password: str) -> tuple[Folder, list[bytes]]:
    while (place := next((n for n, coder in enumerate(folder.coders) if coder.method == AES), None)) is not None:
        coder = folder.coders[place]
        taken = sum(other.inputs for other in folder.coders[:place])
        made = sum(other.outputs for other in folder.coders[:place])
        stream = folder.packed.index(taken)
        packed[stream] = _decrypted(coder, packed[stream], password)[: folder.sizes[made]]
        if len(folder.coders) == 1:
            return replace(folder, coders=(Coder(COPY),)), packed
        folder = _without_coder(folder, place, taken, made)
    return folder, packed


def _without_coder(folder: Folder, place: int, taken: int, made: int) -> Folder:
    """Who took the output of the coder takes the packed stream in its stead; later streams move up."""
    taker = next(taker for taker, output in folder.pairs if output == made)
    packed = (taker if number == taken else number for number in folder.packed)
    return Folder(
        folder.coders[:place] + folder.coders[place + 1 :],
        tuple((a - (a > taken), b - (b > made)) for a, b in folder.pairs if b != made),
        tuple(number - (number > taken) for number in packed),
        folder.sizes[:made] + folder.sizes[made + 1 :],
    )


def _decrypted(coder: Coder, locked: bytes, password: str) -> bytes:
    properties = coder.properties or b""
    first, second = properties[0], properties[1] if properties[0] & 0xC0 else 0
    salt_size, start_size = (first >> 7) + (second >> 4), (first >> 6 & 1) + (second & 0xF)
    salt, start = properties[2 : 2 + salt_size], properties[2 + salt_size : 2 + salt_size + start_size]
    ciphers: Any = _CIPHERS.load()
    key = _key(password, salt, first & 0x3F)
    cipher = ciphers.Cipher(ciphers.algorithms.AES(key), ciphers.modes.CBC(start.ljust(16, b"\0")))
    return bytes(cipher.decryptor().update(locked[: len(locked) // 16 * 16]))


@functools.lru_cache(maxsize=2)
def _key(password: str, salt: bytes, rounds: int) -> bytes:
    if rounds > MOST_ROUNDS:
        raise HeaderError
    digest = hashlib.sha256()
    start = salt + password.encode("utf-16-le")
    for first in range(0, 1 << rounds, _AT_ONCE):
        numbers = range(first, min(first + _AT_ONCE, 1 << rounds))
        digest.update(b"".join([start + number.to_bytes(8, "little") for number in numbers]))
    return digest.digest()

"""Words -> Word, Excel and PowerPoint files of 2003 under a password (RC4 of the CryptoAPI), as Office writes them."""

import hashlib
import io
import struct

from msoffcrypto.method.rc4_cryptoapi import DocumentRC4CryptoAPI

from extraction.readers.ole.compound_writer import write_compound

_SALT, _BITS = bytes(range(16)), 128
_FIB, _PAIRS = 0x44, range(0x9A, 0x9A + 93 * 8, 8)


def _rc4(password: str, data: bytes, block_size: int = 0x200, block: int = 0) -> bytes:
    stream = DocumentRC4CryptoAPI.decrypt(password, _SALT, _BITS, io.BytesIO(data), block_size, block)
    return bytes(stream.read())


def _key_information(password: str) -> bytes:
    verifier = bytes(range(50, 66))
    locked = _rc4(password, verifier + hashlib.sha1(verifier).digest())
    provider = "Microsoft Enhanced Cryptographic Provider v1.0\0".encode("utf-16-le")
    header = struct.pack("<8I", 4, 0, 0x6801, 0x8004, _BITS, 1, 0, 0) + provider
    start = struct.pack("<HHII", 2, 2, 4, len(header)) + header
    return start + struct.pack("<I", 16) + _SALT + locked[:16] + struct.pack("<I", 20) + locked[16:]


def locked_doc(words: str, password: str) -> bytes:
    key = _key_information(password)
    text = words.encode("cp1252") + b"\r"
    main = bytearray(2048)
    struct.pack_into("<HHHH", main, 0, 0xA5EC, 193, 0, 0x409)
    struct.pack_into("<HHI", main, 10, 0x0300, 191, len(key))  # encrypted, in 1Table
    struct.pack_into("<II", main, 0x18, 2048, 2048 + len(text))
    struct.pack_into("<i", main, 0x4C, len(text))
    pieces = struct.pack("<II", 0, len(text)) + struct.pack("<HIH", 0, 2048 * 2 | 0x40000000, 0)
    table = b"\x02" + struct.pack("<I", len(pieces)) + pieces
    struct.pack_into("<II", main, 0x1A2, len(key), len(table))
    whole = bytes(main) + text
    locked_main = whole[:_FIB] + _rc4(password, whole)[_FIB:]
    locked_table = key + _rc4(password, bytes(len(key)) + table)[len(key) :]
    return write_compound({("WordDocument",): locked_main, ("1Table",): locked_table})


def locked_xls(words: str, password: str) -> bytes:
    start = struct.pack("<HHHHHHII", 0x0809, 16, 0x0600, 5, 0, 0, 0, 0)
    key = struct.pack("<H", 1) + _key_information(password)
    start += struct.pack("<HH", 0x2F, len(key)) + key + struct.pack("<HH", 0x0A, 0)
    start += struct.pack("<HHHHHHII", 0x0809, 16, 0x0600, 0x10, 0, 0, 0, 0)
    label = struct.pack("<HHHHB", 0, 0, 0, len(words), 0) + words.encode()
    record = struct.pack("<HH", 0x204, len(label))
    place = len(start) + len(record)
    stream = start + record + _rc4(password, bytes(place) + label, 1024)[place:] + struct.pack("<HH", 0x0A, 0)
    return write_compound({("Workbook",): stream})


def locked_ppt(words: str, password: str, *, pictures: bytes = b"") -> bytes:
    text = words.encode("utf-16-le")
    slide = struct.pack("<HHI", 0xF, 0x03EE, len(text) + 8) + struct.pack("<HHI", 0, 0x0FA0, len(text)) + text
    key = _key_information(password)
    session = struct.pack("<HHI", 0xF, 0x2F14, len(key)) + key
    directory = struct.pack("<HHI", 0, 0x1772, 12) + struct.pack("<III", 1 | 2 << 20, 0, len(slide))
    edit_at = len(slide) + len(session) + len(directory)
    edit = struct.pack("<HHI", 0, 0x0FF5, 32)
    edit += struct.pack("<IHBBIIIIHHI", 0, 0, 0, 3, 0, len(slide) + len(session), 1, 3, 0, 0, 2)
    user = struct.pack("<HHI", 0, 0x0FF6, 24) + struct.pack("<IIIHHBBHI", 20, 0xF3D1C4DF, edit_at, 0, 0x3F4, 3, 0, 0, 8)
    stream = _rc4(password, slide, 1 << 20, 1) + session + directory + edit
    streams: dict[tuple[str, ...], bytes] = {("PowerPoint Document",): stream, ("Current User",): user}
    return write_compound(streams | ({("Pictures",): pictures} if pictures else {}))

"""Header of a 7z archive <-> how its folders are packed; and what an encoded header says."""

import lzma
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace

SIGNATURE = b"7z\xbc\xaf\x27\x1c"
AES, COPY = b"\x06\xf1\x07\x01", b"\0"
_LZMA, _LZMA2 = b"\x03\x01\x01", b"\x21"
_START = 32
_END, _HEADER, _MAIN, _PACKED, _UNPACKED, _SIZE, _DIGESTS, _FOLDER, _SIZES = 0, 1, 4, 6, 7, 9, 10, 11, 12
_ENCODED = 0x17
_MOST = 1 << 20  # folders, coders, streams
_LARGEST_HEADER = 1 << 26
Decrypt = Callable[["Coder", bytes], bytes]


class HeaderError(Exception):
    """The header is damaged, or of a kind that is not read here."""


@dataclass(frozen=True, slots=True)
class Coder:
    method: bytes
    properties: bytes | None = None
    inputs: int = 1
    outputs: int = 1


@dataclass(frozen=True, slots=True)
class Folder:
    """`pairs`: which output each input takes; `packed`: the inputs that take bytes of the file; `sizes` of outputs."""

    coders: tuple[Coder, ...]
    pairs: tuple[tuple[int, int], ...]
    packed: tuple[int, ...]
    sizes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Streams:
    place: int  # of the first packed stream, behind the start of the file
    pack_sizes: tuple[int, ...]
    folders: tuple[Folder, ...]
    digests: tuple[int | None, ...] = ()  # of what each folder unpacks to


@dataclass(frozen=True, slots=True, repr=False)
class Header:
    streams: Streams
    rest: bytes  # what comes after the sizes of the folders: their digests, and the names and times of files


@dataclass(slots=True, repr=False)
class _Reader:
    data: bytes
    place: int = field(default=0)

    def byte(self) -> int:
        self.place += 1
        if self.place > len(self.data):
            raise HeaderError
        return self.data[self.place - 1]

    def take(self, count: int) -> bytes:
        if not 0 <= count <= len(self.data) - self.place:
            raise HeaderError
        self.place += count
        return self.data[self.place - count : self.place]

    def number(self) -> int:
        """The leading ones of the first byte say how many bytes follow, the lowest first."""
        first = self.byte()
        extra = 8 - (first ^ 0xFF).bit_length()
        low = int.from_bytes(self.take(extra), "little")
        return low | (first & (0xFF >> extra + 1)) << 8 * extra if extra < 7 else low

    def count(self) -> int:
        count = self.number()
        if count > _MOST:
            raise HeaderError
        return count

    def expect(self, mark: int) -> None:
        if self.byte() != mark:
            raise HeaderError


def read_header(data: bytes, decrypt: Decrypt) -> Header:
    """`decrypt` raises what it likes where the header itself is locked."""
    offset, size, checksum = struct.unpack_from("<QQI", data, 12)
    raw = data[_START + offset : _START + offset + size]
    if zlib.crc32(raw) != checksum:
        raise HeaderError
    for _ in range(4):  # an encoded header may hold another
        if raw[:1] != bytes([_ENCODED]):
            break
        reader = _Reader(raw, 1)
        raw = _unpacked(data, _streams(reader), decrypt)
    reader = _Reader(raw)
    reader.expect(_HEADER)
    reader.expect(_MAIN)
    streams = _streams(reader, with_digests=False)
    return Header(streams, raw[reader.place :])


def write_archive(header: Header, packed: list[bytes]) -> bytes:
    sizes = [_number(len(stream)) for stream in packed]
    out = bytes([_HEADER, _MAIN, _PACKED]) + _number(0) + _number(len(packed))
    out += bytes([_SIZE]) + b"".join(sizes) + bytes([_END, _UNPACKED, _FOLDER])
    out += _number(len(header.streams.folders)) + b"\0"
    out += b"".join(_written(folder) for folder in header.streams.folders) + bytes([_SIZES])
    out += b"".join(_number(size) for folder in header.streams.folders for size in folder.sizes)
    out += header.rest
    body = b"".join(packed)
    start = struct.pack("<QQI", len(body), len(out), zlib.crc32(out))
    return SIGNATURE + b"\0\4" + struct.pack("<I", zlib.crc32(start)) + start + body + out


def packed_streams(data: bytes, streams: Streams) -> list[bytes]:
    place = _START + streams.place
    out: list[bytes] = []
    for size in streams.pack_sizes:
        if place + size > len(data):
            raise HeaderError
        out.append(data[place : place + size])
        place += size
    return out


def _streams(reader: _Reader, *, with_digests: bool = True) -> Streams:
    reader.expect(_PACKED)
    place = reader.number()
    count = reader.count()
    reader.expect(_SIZE)
    pack_sizes = tuple(reader.number() for _ in range(count))
    mark = reader.byte()
    if mark == _DIGESTS:
        _digests(reader, count)
        mark = reader.byte()
    if mark != _END:
        raise HeaderError
    reader.expect(_UNPACKED)
    reader.expect(_FOLDER)
    count = reader.count()
    reader.expect(0)  # the folders are not elsewhere
    folders = [_folder(reader) for _ in range(count)]
    reader.expect(_SIZES)
    folders = [
        replace(folder, sizes=tuple(reader.number() for _ in range(sum(coder.outputs for coder in folder.coders))))
        for folder in folders
    ]
    digests: tuple[int | None, ...] = ()
    if with_digests and reader.byte() == _DIGESTS:
        digests = _digests(reader, count)
    return Streams(place, pack_sizes, tuple(folders), digests)


def _digests(reader: _Reader, count: int) -> tuple[int | None, ...]:
    known = [True] * count
    if not reader.byte():
        bits = reader.take((count + 7) // 8)
        known = [bool(bits[number // 8] & 0x80 >> number % 8) for number in range(count)]
    return tuple(int.from_bytes(reader.take(4), "little") if is_known else None for is_known in known)


def _folder(reader: _Reader) -> Folder:
    coders = tuple(_coder(reader) for _ in range(min(reader.count(), 32)))
    inputs, outputs = sum(coder.inputs for coder in coders), sum(coder.outputs for coder in coders)
    if not outputs or max(inputs, outputs) > 64:
        raise HeaderError
    pairs = tuple((reader.number(), reader.number()) for _ in range(outputs - 1))
    count = inputs - len(pairs)
    if count == 1:
        packed = tuple(number for number in range(inputs) if number not in dict(pairs))
    else:
        packed = tuple(reader.number() for _ in range(count))
    return Folder(coders, pairs, packed)


def _coder(reader: _Reader) -> Coder:
    flags = reader.byte()
    method = reader.take(flags & 0xF)
    inputs, outputs = (reader.count(), reader.count()) if flags & 0x10 else (1, 1)
    properties = reader.take(reader.count()) if flags & 0x20 else None
    return Coder(method, properties, inputs, outputs)


def _unpacked(data: bytes, streams: Streams, decrypt: Decrypt) -> bytes:
    """One folder of one chain, as encoded headers are."""
    if len(streams.folders) != 1 or len(streams.pack_sizes) != 1:
        raise HeaderError
    folder = streams.folders[0]
    (out,) = packed_streams(data, streams)
    wanted = folder.packed[0]
    takers = {output: taker for taker, output in folder.pairs}
    for _ in folder.coders:
        coder, size = folder.coders[wanted], folder.sizes[wanted]
        if size > _LARGEST_HEADER:
            raise HeaderError
        out = (decrypt(coder, out) if coder.method == AES else _decompressed(coder, out, size))[:size]
        wanted = takers.get(wanted, -1)
        if wanted < 0:
            break
    if streams.digests and streams.digests[0] not in (None, zlib.crc32(out)):
        raise HeaderError
    return out


def _decompressed(coder: Coder, data: bytes, size: int) -> bytes:
    properties = coder.properties or b""
    if coder.method == COPY:
        return data
    if coder.method == _LZMA and len(properties) == 5:
        first, dictionary = struct.unpack("<BI", properties)
        rest, literal_context = divmod(first, 9)
        position, literal_position = divmod(rest, 5)
        filters = {"id": lzma.FILTER_LZMA1, "lc": literal_context, "lp": literal_position, "pb": position}
        filters["dict_size"] = min(max(dictionary, 4_096), _LARGEST_HEADER)
    elif coder.method == _LZMA2:
        filters = {"id": lzma.FILTER_LZMA2, "dict_size": _LARGEST_HEADER}
    else:
        raise HeaderError
    return lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[filters]).decompress(data, size)


def _written(folder: Folder) -> bytes:
    out = _number(len(folder.coders))
    for coder in folder.coders:
        is_complex = (coder.inputs, coder.outputs) != (1, 1)
        out += bytes([len(coder.method) | 0x10 * is_complex | 0x20 * (coder.properties is not None)]) + coder.method
        out += _number(coder.inputs) + _number(coder.outputs) if is_complex else b""
        out += _number(len(coder.properties)) + coder.properties if coder.properties is not None else b""
    out += b"".join(_number(taker) + _number(output) for taker, output in folder.pairs)
    return out + (b"".join(map(_number, folder.packed)) if len(folder.packed) > 1 else b"")


def _number(value: int) -> bytes:
    return bytes([value]) if value < 0x80 else b"\xff" + value.to_bytes(8, "little")

"""Pages -> a compiled help file (CHM) whose pages are stored by LZX, as nothing but their bytes."""

import struct

_FRAME = 1 << 15
_STORAGE = "::DataSpace/Storage/MSCompressed/"
_CHUNK = 4096


def help_file(pages: dict[str, bytes]) -> bytes:
    content = b"".join(pages.values())
    intervals = [_stored(content[start : start + _FRAME]) for start in range(0, len(content), _FRAME)]
    packed = b"".join(intervals)
    resets = [sum(map(len, intervals[:number])) for number in range(len(intervals))]
    table = struct.pack("<IIIIQQQ", 2, len(resets), 8, 0x28, len(content), len(packed), _FRAME)
    parts = {
        _STORAGE + "ControlData": struct.pack("<I4sIIIII", 6, b"LZXC", 2, 1, 1, 0, 0),
        _STORAGE + "Transform/{7FC28940-9D31-11D0-9B27-00A0C91E9C7C}/InstanceData/ResetTable": table
        + struct.pack(f"<{len(resets)}Q", *resets),
        _STORAGE + "Content": packed,
    }
    directory = b"ITSP" + struct.pack("<IIIIIIiII", 1, 0x54, 10, _CHUNK, 2, 1, -1, 0, 0) + struct.pack("<iI", -1, 1)
    directory = directory.ljust(0x54, b"\0") + _chunk(_entries(parts, 0) + _entries(pages, 1))
    header = b"ITSF" + struct.pack("<IIIII", 3, 0x60, 1, 0, 0x409) + bytes(32)
    header += struct.pack("<QQQQQ", 0x60, 0x18, 0x78, len(directory), 0x78 + len(directory))
    return header + bytes(0x18) + directory + b"".join(parts.values())


def _stored(data: bytes) -> bytes:
    """One interval: a bit for no translation, three for a stored block, 24 for its length; then whole words."""
    bits = (3 << 24 | len(data)) << 4
    words = struct.pack("<HH", bits >> 16, bits & 0xFFFF)
    return words + struct.pack("<III", 1, 1, 1) + data + bytes(len(data) % 2)


def _entries(files: dict[str, bytes], section: int) -> bytes:
    out, start = b"", 0
    for name, data in files.items():
        out += _number(len(name)) + name.encode() + _number(section) + _number(start) + _number(len(data))
        start += len(data)
    return out


def _chunk(entries: bytes) -> bytes:
    free = _CHUNK - 20 - len(entries)
    return b"PMGL" + struct.pack("<IIii", free, 0, -1, -1) + entries + bytes(free)


def _number(value: int) -> bytes:
    digits = [value & 0x7F]
    while value := value >> 7:
        digits.append(value & 0x7F | 0x80)
    return bytes(reversed(digits))

"""Streams -> a compound file that holds them, so that an embedded document can be examined like a file."""

import struct
from collections.abc import Mapping
from itertools import pairwise

SECTOR = 512
SMALL_SECTOR = 64
SMALL = 4096  # shorter streams share the stream of the root
_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_FREE, _END, _FAT, _DIFAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFC
_NOBODY = 0xFFFFFFFF
_STORAGE, _STREAM, _ROOT = 1, 2, 5
_IN_HEADER = 109


class _Entry:
    def __init__(self, name: str, kind: int, data: bytes = b"") -> None:
        self.name = name
        self.kind = kind
        self.data = data
        self.children: dict[str, _Entry] = {}
        self.number = 0
        self.start = _END


def write_compound(streams: Mapping[tuple[str, ...], bytes]) -> bytes:
    root = _Entry("Root Entry", _ROOT)
    for path, data in streams.items():
        _place(root, path, data)
    entries = _numbered(root)
    body: list[bytes] = []
    chain: list[int] = []
    small_body: list[bytes] = []
    small_chain: list[int] = []
    for entry in entries:
        if entry.data and len(entry.data) < SMALL:
            entry.start = _add(entry.data, small_body, small_chain, SMALL_SECTOR)
        elif entry.data:
            entry.start = _add(entry.data, body, chain, SECTOR)
    small_table = _END
    if small_chain:
        root.data = b"".join(small_body)
        root.start = _add(root.data, body, chain, SECTOR)
        small_table = _add(struct.pack(f"<{len(small_chain)}I", *small_chain), body, chain, SECTOR, b"\xff")
    following = _siblings(entries)
    directory = b"".join(_directory_entry(entry, following) for entry in entries)
    directory_start = _add(directory, body, chain, SECTOR)
    return _assembled(b"".join(body), chain, directory_start, (small_table, -(-len(small_chain) * 4 // SECTOR)))


def _place(root: _Entry, path: tuple[str, ...], data: bytes) -> None:
    folder = root
    for name in path[:-1]:
        folder = folder.children.setdefault(name, _Entry(name, _STORAGE))
    folder.children[path[-1]] = _Entry(path[-1], _STREAM, data)


def _numbered(root: _Entry) -> list[_Entry]:
    entries = [root]
    for entry in entries:
        for child in entry.children.values():
            child.number = len(entries)
            entries.append(child)
    return entries


def _siblings(entries: list[_Entry]) -> dict[int, int]:
    """Each entry's next in its storage: a tree of right branches only, which readers accept."""
    following: dict[int, int] = {}
    for entry in entries:
        children = list(entry.children.values())
        for left, right in pairwise(children):
            following[left.number] = right.number
    return following


def _directory_entry(entry: _Entry, following: dict[int, int]) -> bytes:
    name = entry.name.encode("utf-16-le", "replace")[:62] + b"\0\0"
    child = next(iter(entry.children.values())).number if entry.children else _NOBODY
    links = struct.pack("<III", _NOBODY, following.get(entry.number, _NOBODY), child)
    head = name.ljust(64, b"\0") + struct.pack("<HBB", len(name), entry.kind, 1) + links
    return head + bytes(36) + struct.pack("<IQ", entry.start, len(entry.data))


def _add(data: bytes, body: list[bytes], chain: list[int], sector: int, padding: bytes = b"\0") -> int:
    start = len(chain)
    count = -(-len(data) // sector)
    body.append(data.ljust(count * sector, padding))
    chain.extend(range(start + 1, start + count))
    chain.append(_END)
    return start


def _assembled(body: bytes, chain: list[int], directory_start: int, small_table: tuple[int, int]) -> bytes:
    per_sector = SECTOR // 4
    tables = more = 0
    while True:
        needed = -(-(len(chain) + tables + more) // per_sector)
        listed = -(-max(0, needed - _IN_HEADER) // (per_sector - 1))
        if (needed, listed) == (tables, more):
            break
        tables, more = needed, listed
    first_table, first_list = len(chain), len(chain) + tables
    table = chain + [_FAT] * tables + [_DIFAT] * more
    table += [_FREE] * (tables * per_sector - len(table))
    places = list(range(first_table, first_table + tables))
    header = _MAGIC + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    header += struct.pack("<IIIII", 0, tables, directory_start, 0, SMALL)
    header += struct.pack("<IIII", *small_table, first_list if more else _END, more)
    in_header = places[:_IN_HEADER] + [_FREE] * (_IN_HEADER - len(places))
    header += struct.pack(f"<{_IN_HEADER}I", *in_header)
    rest = places[_IN_HEADER:]
    lists = b""
    for number in range(more):
        part = rest[number * (per_sector - 1) : (number + 1) * (per_sector - 1)]
        part += [_FREE] * (per_sector - 1 - len(part))
        lists += struct.pack(f"<{per_sector}I", *part, first_list + number + 1 if number + 1 < more else _END)
    return header + body + struct.pack(f"<{len(table)}I", *table) + lists

"""Embedded OLE objects -> the files that they wrap, as members."""

import struct
from collections.abc import Iterator
from functools import partial

from extraction.content import Content
from extraction.format import Member
from extraction.limits.budget import Budget
from extraction.readers.ole.compound import Compound, Path
from extraction.readers.streams.read_member import embedded_content

_DOCUMENTS = frozenset(
    {"worddocument", "workbook", "book", "powerpoint document", "encryptedpackage", "__properties_version1.0"}
)
_NATIVE = "\x01ole10native"
_WHOLE_FILES = frozenset({"package", "contents", "embeddedodf"})


def embedded_objects(compound: Compound, budget: Budget, *storage: str) -> Iterator[Member]:
    """Every storage below one: a wrapped file, or a document stored as streams."""
    for number, path in enumerate(compound.storages(*storage), 1):
        yield from storage_members(compound, budget, path, f"object {number}")


def storage_members(compound: Compound, budget: Budget, storage: Path, name: str) -> Iterator[Member]:
    streams = {path[-1].lower(): path for path in compound.paths(*storage) if len(path) == len(storage) + 1}
    if storage and streams.keys() & _DOCUMENTS:
        compound.leave(*storage)
        yield Member(name, lambda: embedded_content(compound.within(storage), budget, name))
        return
    for low, path in streams.items():
        if low in _WHOLE_FILES:
            compound.leave(*path)
            yield Member(name, partial(_read_stream, compound, path, name, budget))
        elif low == _NATIVE:
            label, data = native_file(compound.read(*path)[4:])
            yield file_member(label or name, data, budget)


def _read_stream(compound: Compound, path: Path, name: str, budget: Budget) -> Content:
    return embedded_content(compound.read(*path), budget, name)


def file_member(name: str, data: bytes, budget: Budget) -> Member:
    return Member(name, lambda: embedded_content(data, budget, name), len(data))


def native_file(data: bytes) -> tuple[str, bytes]:
    """Parses what the Object Packager wrote: label, path, temporary path, size, data; anything else is data."""
    if data[:2] != b"\x02\0":
        return "", data
    label_end = data.find(b"\0", 2)
    path_end = data.find(b"\0", label_end + 1)
    place = path_end + 1 + 4
    if min(label_end, path_end) < 0 or len(data) < place + 4:
        return "", data
    place += 4 + struct.unpack_from("<I", data, place)[0]
    if len(data) < place + 4:
        return "", data
    (size,) = struct.unpack_from("<I", data, place)
    return data[2:label_end].decode("cp1252", "replace"), data[place + 4 : place + 4 + size]

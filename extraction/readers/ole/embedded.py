"""Embedded OLE objects -> the files that they wrap, as members."""

import struct
from collections.abc import Iterator

from extraction.content import Content
from extraction.format import Member
from extraction.limits.budget import Budget
from extraction.readers.ole.compound import Compound, Path

_DOCUMENTS = frozenset(
    {"worddocument", "workbook", "book", "powerpoint document", "encryptedpackage", "__properties_version1.0"}
)
_NATIVE = "\x01ole10native"
_WHOLE_FILES = frozenset({"package", "contents", "embeddedodf"})


def embedded_objects(compound: Compound, budget: Budget, *storage: str) -> Iterator[Member]:
    """Every storage below one: a wrapped file, or a document whose streams lie there."""
    for number, path in enumerate(compound.storages(*storage), 1):
        yield from storage_members(compound, budget, path, f"object {number}")


def storage_members(compound: Compound, budget: Budget, storage: Path, name: str) -> Iterator[Member]:
    streams = {path[-1].lower(): path for path in compound.paths(*storage) if len(path) == len(storage) + 1}
    if storage and streams.keys() & _DOCUMENTS:
        yield Member(name, lambda: _whole(compound.within(storage), name, budget))
        return
    for low, path in streams.items():
        if low in _WHOLE_FILES:
            yield Member(name, lambda path=path: _whole(compound.read(*path), name, budget))  # type: ignore[misc]
        elif low == _NATIVE:
            label, data = native_file(compound.read(*path)[4:])
            yield file_member(label or name, data, budget)


def file_member(name: str, data: bytes, budget: Budget) -> Member:
    return Member(name, lambda: _whole(data, name, budget), len(data))


def _whole(data: bytes, name: str, budget: Budget) -> Content:
    limit = budget.limits.member_bytes
    budget.expand(len(data))
    return Content(data[:limit], len(data), name, budget.member_reason if len(data) > limit else "")


def native_file(data: bytes) -> tuple[str, bytes]:
    """What the Object Packager wrote: label, path, temporary path, size, data. Anything else is taken as it is."""
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

"""Volume of a known file system -> its regular files, by path; links, devices and internal files are skipped."""

import io
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, Protocol

from extraction.lazy_import import LazyModule
from extraction.readers.disks.layout import EXT, FAT, NTFS, XFS

MOST_FOLDERS = 100_000
DEEPEST = 200  # folders within folders
_LIBRARIES = {
    EXT: LazyModule("pyfsext"),
    FAT: LazyModule("pyfsfat"),
    NTFS: LazyModule("pyfsntfs"),
    XFS: LazyModule("pyfsxfs"),
}
FAULTS = (OSError, ValueError, RuntimeError, ImportError)  # at damaged places, and where a library is missing
_FAT_LABEL, _FAT_FOLDER = 0x08, 0x10
_NTFS_OWN = 24  # the first records of its table are internal files
_NTFS_NUMBER = (1 << 48) - 1


class VolumeStream(Protocol):
    size: int

    def read(self, count: int, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class VolumeFile:
    """A file of a volume; its content can be read once, from front to back, while the volume is open."""

    path: str
    stream: VolumeStream
    deleted: bool = False


class Partition(io.RawIOBase):
    """The bytes of one partition as if they were a file of their own."""

    def __init__(self, disk: BinaryIO, start: int, length: int) -> None:
        self._disk, self._start, self._length = disk, start, length
        self._position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._position = max(
            0, {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self._length}[whence] + offset
        )
        return self._position

    def tell(self) -> int:
        return self._position

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        self._disk.seek(self._start + self._position)
        data = self._disk.read(max(0, min(len(view), self._length - self._position)))
        view[: len(data)] = data
        self._position += len(data)
        return len(data)


def stored_files(kind: str, volume_file: BinaryIO) -> Iterator[VolumeFile | None]:
    """None for each file or folder that cannot be reached. Raises one of FAULTS if the volume cannot be opened."""
    volume = _LIBRARIES[kind].load().volume()
    volume.open_file_object(volume_file)
    try:
        yield from _walk(kind, volume.get_root_directory())
    finally:
        volume.close()


def _walk(kind: str, root: Any) -> Iterator[VolumeFile | None]:
    waiting: list[tuple[Any, str, int]] = [(root, "", 0)]
    seen: set[object] = set()
    while waiting:
        folder, path, depth = waiting.pop()
        identity = _identity(kind, folder)
        if len(seen) >= MOST_FOLDERS or depth > DEEPEST or identity in seen:
            yield None
            continue
        seen.add(identity)
        below = []
        for entry in _entries(folder):
            try:
                contents = None if entry is None else _sorted(kind, entry, path)
            except FAULTS:
                contents = entry = None
            if entry is None:
                yield None
            elif contents is True:
                below.append((entry, f"{path}{entry.name}/", depth + 1))
            elif contents:
                yield from contents
        waiting.extend(reversed(below))


def _identity(kind: str, folder: Any) -> object:
    """A folder of a damaged volume may contain itself; a folder without an identity counts as new."""
    try:
        if kind == FAT:
            return folder.identifier
        return folder.inode_number if kind in (EXT, XFS) else folder.file_reference
    except FAULTS:
        return object()


def _entries(folder: Any) -> Iterator[Any]:
    try:
        count = folder.number_of_sub_file_entries
    except FAULTS:
        yield None
        return
    for index in range(count):
        try:
            yield folder.get_sub_file_entry(index)
        except FAULTS:
            yield None


def _sorted(kind: str, entry: Any, path: str) -> bool | list[VolumeFile]:
    """True for a folder, else the contents of the entry, if any."""
    if entry.name in (None, "", ".", ".."):
        return []
    if kind in (EXT, XFS):
        mode = entry.file_mode
        return stat.S_ISDIR(mode) or ([VolumeFile(path + entry.name, entry)] if stat.S_ISREG(mode) else [])
    if kind == FAT:
        flags = entry.file_attribute_flags
        return bool(flags & _FAT_FOLDER) or ([] if flags & _FAT_LABEL else [VolumeFile(path + entry.name, entry)])
    if entry.file_reference & _NTFS_NUMBER < _NTFS_OWN:
        return []
    streams = (entry.get_alternate_data_stream(index) for index in range(entry.number_of_alternate_data_streams))
    further = [VolumeFile(f"{path}{entry.name}:{stream.name}", stream) for stream in streams]
    if entry.has_directory_entries_index():
        return True
    return [VolumeFile(path + entry.name, entry), *further] if entry.has_default_data_stream() else further

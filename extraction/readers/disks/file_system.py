"""Volume of a known file system -> its regular files, by path; links, devices and internal files are skipped."""

import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, Protocol

from extraction.by_position import ByPosition
from extraction.lazy_import import LazyModule
from extraction.readers.disks.layout import APFS, EXT, FAT, HFS, NTFS, XFS

MOST_FOLDERS = 100_000
DEEPEST = 200  # folders within folders
_LIBRARIES = {
    EXT: LazyModule("pyfsext"),
    FAT: LazyModule("pyfsfat"),
    NTFS: LazyModule("pyfsntfs"),
    XFS: LazyModule("pyfsxfs"),
    HFS: LazyModule("pyfshfs"),
    APFS: LazyModule("pyfsapfs"),
}
FAULTS = (OSError, ValueError, RuntimeError, ImportError)  # at damaged places, and where a library is missing
_FAT_LABEL, _FAT_FOLDER = 0x08, 0x10
_NTFS_OWN = 24  # the first records of its table are internal files
_NTFS_NUMBER = (1 << 48) - 1
_COMPRESSED, _RESOURCE_FORK = "com.apple.decmpfs", "com.apple.ResourceFork"


class LockedError(Exception):
    """Volumes that none of the passwords opens; what else there is was read before."""


class VolumeStream(Protocol):
    size: int

    def read(self, count: int, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class VolumeFile:
    """A file of a volume; its content can be read once, from front to back, while the volume is open."""

    path: str
    stream: VolumeStream
    deleted: bool = False


class Partition(ByPosition):
    """The bytes of one partition as if they were a file of their own."""

    def __init__(self, disk: BinaryIO, start: int, length: int) -> None:
        super().__init__(length)
        self._disk, self._start = disk, start

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        self._disk.seek(self._start + self._position)
        data = self._disk.read(max(0, min(len(view), self.size - self._position)))
        view[: len(data)] = data
        self._position += len(data)
        return len(data)


def stored_files(kind: str, volume_file: BinaryIO, passwords: Sequence[str] = ()) -> Iterator[VolumeFile | None]:
    """None for each file or folder that cannot be reached. Raises one of FAULTS if the volume cannot be opened."""
    library = _LIBRARIES[kind].load()
    if kind == APFS:
        yield from _files_of_container(library.container(), volume_file, passwords)
        return
    volume = library.volume()
    volume.open_file_object(volume_file)
    try:
        yield from _walk(kind, volume.get_root_directory())
    finally:
        volume.close()


def _files_of_container(container: Any, file: BinaryIO, passwords: Sequence[str]) -> Iterator[VolumeFile | None]:
    """The volumes of a container share its space; each may be locked."""
    container.open_file_object(file)
    locked = 0
    try:
        for number in range(container.number_of_volumes):
            volume = container.get_volume(number)
            if not _is_open(volume, passwords):
                locked += 1
                continue
            prefix = f"{volume.name}/" if container.number_of_volumes > 1 else ""
            yield from _walk(APFS, volume.get_root_directory(), prefix)
    finally:
        container.close()
    if locked:
        raise LockedError


def _is_open(volume: Any, passwords: Sequence[str]) -> bool:
    for password in passwords if volume.is_locked() else ():
        volume.set_password(password)
        if volume.unlock():
            break
    return not volume.is_locked()


def _walk(kind: str, root: Any, prefix: str = "") -> Iterator[VolumeFile | None]:
    waiting: list[tuple[Any, str, int]] = [(root, prefix, 0)]
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
        if kind in (FAT, HFS, APFS):
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
    if kind in (HFS, APFS):
        return stat.S_ISDIR(entry.file_mode) or _of_apple(kind, entry, path)
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


def _of_apple(kind: str, entry: Any, path: str) -> list[VolumeFile]:
    """The file, and its resource fork, in which old programs kept text; compressed files have their data there."""
    if not stat.S_ISREG(entry.file_mode):
        return []
    files = [VolumeFile(path + entry.name, entry)]
    if not entry.has_extended_attribute_by_name(_COMPRESSED):
        fork = _resource_fork(kind, entry)
        files += [VolumeFile(f"{path}{entry.name}:rsrc", fork)] if fork is not None else []
    return files


def _resource_fork(kind: str, entry: Any) -> Any | None:
    if kind == HFS:
        return entry.get_resource_fork() if entry.has_resource_fork() else None
    found = entry.has_extended_attribute_by_name(_RESOURCE_FORK)
    return entry.get_extended_attribute_by_name(_RESOURCE_FORK) if found else None

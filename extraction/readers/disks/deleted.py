"""Volume -> its deleted files, as far as its file system still knows where they were, and its free space.

Content of deleted files is read only where no file that is still there has taken its place.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from extraction.lazy_import import LazyModule
from extraction.readers.disks.file_system import FAULTS, MOST_FOLDERS, VolumeFile

_TSK = LazyModule("pytsk3")
MOST_DELETED = 20_000  # files of one volume
_DEEPEST = 100
_TABLES = ("$ALLOC_BITMAP", "$UPCASE_TABLE")  # of exFAT, which the library shows as files
Run = tuple[int, int]  # first byte, bytes


@dataclass(slots=True)
class DeletedFiles:
    """The deleted files of a volume; when all were taken, `free` says which bytes belong to no file at all."""

    volume: BinaryIO
    size: int
    with_stored: bool = False  # whether files that are still there are wanted too
    used: list[Run] = field(default_factory=list)
    lost: int = 0  # files or folders that could not be looked at

    def __iter__(self) -> Iterator[VolumeFile]:
        """Raises one of FAULTS where the library cannot open the volume."""
        tsk = _TSK.load()
        system = tsk.FS_Info(_image(tsk, self.volume, self.size))
        deleted = []
        for path, entry, runs, is_deleted in self._walk(tsk, system):
            if is_deleted:
                deleted.append((path, entry, runs))
            elif self.with_stored:
                yield VolumeFile(path, _TskStream(entry))
        self.used = _joined(self.used)
        for path, entry, runs in deleted:
            if _overlap(runs, self.used):  # another file is there now
                continue
            self.used = _joined([*self.used, *runs]) if runs else self.used
            yield VolumeFile(path, _TskStream(entry), deleted=True)

    def free(self) -> list[Run]:
        gaps, at = [], 0
        for start, length in self.used:
            if start > at:
                gaps.append((at, start - at))
            at = max(at, start + length)
        return [*gaps, (at, self.size - at)] if at < self.size else gaps

    def _walk(self, tsk: Any, system: Any) -> Iterator[tuple[str, Any, list[Run], bool]]:
        """Regular files; where all that is still there lies is noted on the way."""
        waiting: list[tuple[str, int, int]] = [("", int(system.info.root_inum), 0)]
        seen: set[int] = set()
        deleted = 0
        while waiting:
            path, number, depth = waiting.pop()
            if number in seen or len(seen) >= MOST_FOLDERS or depth > _DEEPEST:
                continue
            seen.add(number)
            for entry in self._entries(system, number):
                try:
                    entry, found = _known(tsk, system, entry)
                except FAULTS:
                    self.lost += 1
                    continue
                if found is None:
                    continue
                if not found.is_deleted:
                    self.used += found.runs
                if found.is_folder:
                    waiting.append((f"{path}{found.name}/", found.number, depth + 1))
                elif found.is_file and found.size:
                    deleted += found.is_deleted
                    if not found.is_deleted or deleted <= MOST_DELETED:
                        yield f"{path}{found.name}", entry, found.runs, found.is_deleted

    def _entries(self, system: Any, number: int) -> Iterator[Any]:
        try:
            yield from system.open_dir(inode=number)
        except FAULTS:
            self.lost += 1


@dataclass(frozen=True, slots=True)
class _Entry:
    """What the library says of an entry of a folder."""

    name: str
    number: int
    size: int
    is_folder: bool
    is_file: bool
    is_deleted: bool
    runs: list[Run]

    @classmethod
    def of(cls, tsk: Any, name: str, entry: Any, block: int) -> "_Entry | None":
        """None for an entry without content, and for the folder's own entries."""
        meta = entry.info.meta
        if meta is None or name in (".", "..", *_TABLES):
            return None
        kind = int(meta.type)
        folders = (int(tsk.TSK_FS_META_TYPE_DIR), int(tsk.TSK_FS_META_TYPE_VIRT_DIR))
        return cls(
            name,
            int(meta.addr),
            int(meta.size),
            kind in folders,
            kind == int(tsk.TSK_FS_META_TYPE_REG),
            bool(int(meta.flags) & int(tsk.TSK_FS_META_FLAG_UNALLOC)),
            _runs(tsk, entry, block),
        )


class _TskStream:
    """The content of a file, from front to back."""

    def __init__(self, entry: Any) -> None:
        self._entry = entry
        self._at = 0
        self.size = int(entry.info.meta.size)

    def read(self, count: int, /) -> bytes:
        wanted = min(count, self.size - self._at)
        if wanted <= 0:
            return b""
        data: bytes = self._entry.read_random(self._at, wanted)
        self._at += len(data)
        return data


def _known(tsk: Any, system: Any, entry: Any) -> tuple[Any, _Entry | None]:
    """The library does not say of itself what a deleted name in a folder of NTFS stood for."""
    name = entry.info.name
    if entry.info.meta is None and int(name.flags) & int(tsk.TSK_FS_NAME_FLAG_UNALLOC) and int(name.meta_addr):
        entry = system.open_meta(inode=int(name.meta_addr))
        if not int(entry.info.meta.flags) & int(tsk.TSK_FS_META_FLAG_UNALLOC):  # another file has its record now
            return entry, None
    return entry, _Entry.of(tsk, name.name.decode("utf-8", "replace"), entry, int(system.info.block_size))


def _runs(tsk: Any, entry: Any, block: int) -> list[Run]:
    runs = []
    for attribute in entry:
        if int(attribute.info.flags) & int(tsk.TSK_FS_ATTR_NONRES):
            runs += [
                (int(run.addr) * block, int(run.len) * block)
                for run in attribute
                if not int(run.flags) & int(tsk.TSK_FS_ATTR_RUN_FLAG_SPARSE | tsk.TSK_FS_ATTR_RUN_FLAG_FILLER)
            ]
    return runs


def _image(tsk: Any, volume: BinaryIO, size: int) -> Any:
    """The library's own class for images that somebody else reads; it is known only when the library is."""

    class Image(tsk.Img_Info):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__(url="", type=tsk.TSK_IMG_TYPE_EXTERNAL)

        def read(self, offset: int, count: int) -> bytes:
            volume.seek(offset)
            return volume.read(count)

        def get_size(self) -> int:
            return size

    return Image()


def _joined(runs: list[Run]) -> list[Run]:
    """In order, none of them touching another."""
    joined: list[Run] = []
    for start, length in sorted(runs):
        if joined and start <= sum(joined[-1]):
            before = joined[-1]
            joined[-1] = (before[0], max(sum(before), start + length) - before[0])
        else:
            joined.append((start, length))
    return joined


def _overlap(runs: list[Run], used: list[Run]) -> bool:
    return any(start < first + count and first < start + length for start, length in runs for first, count in used)

"""Image of a disk in a format of its own (E01, qcow2, VMDK, VHD, VHDX) -> the disk as if it were a raw image."""

import io
from typing import Any, BinaryIO, cast

from extraction.by_position import ByPosition
from extraction.lazy_import import LazyModule
from extraction.limits.budget import Budget, LimitError
from extraction.media_types import EWF, QCOW, VHD, VMDK

_LIBRARIES = {
    EWF: LazyModule("pyewf"),
    QCOW: LazyModule("pyqcow"),
    VHD: LazyModule("pyvhdi"),
    VMDK: LazyModule("pyvmdk"),
}


class VirtualDisk(ByPosition):
    """What is read of it is charged to the budget, as what is unpacked; past the limit it looks as if it ended."""

    def __init__(self, handle: Any, budget: Budget) -> None:
        super().__init__(int(handle.get_media_size()))
        self._handle, self._budget = handle, budget
        self.limit = ""

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        wanted = min(len(view), self.size - self._position)
        if wanted <= 0 or self.limit:
            return 0
        try:
            self._budget.unpack(wanted)
        except LimitError as limit:  # libraries turn it into a fault of the disk
            self.limit = str(limit)
            return 0
        data = self._handle.read_buffer_at_offset(wanted, self._position)
        view[: len(data)] = data
        self._position += len(data)
        return len(data)


def open_disk(media_type: str, file: BinaryIO, budget: Budget) -> VirtualDisk:
    """Raises one of FAULTS where it cannot be opened."""
    library = _LIBRARIES[media_type].load()
    if media_type == EWF:
        handle = library.handle()
        handle.open_file_objects([file], "rb")
    else:
        handle = library.handle() if media_type == VMDK else library.file()
        handle.open_file_object(file)
        if media_type == VMDK:
            handle.open_extent_data_files_as_file_objects([file])
        if _parent(handle):
            raise OSError("a disk that is only what changed since another image")
    return VirtualDisk(handle, budget)


def _parent(handle: Any) -> str:
    for name in ("get_backing_filename", "get_parent_filename"):
        if hasattr(handle, name):
            return str(getattr(handle, name)() or "")
    return ""


def buffered(disk: VirtualDisk) -> BinaryIO:
    return cast(BinaryIO, io.BufferedReader(disk, 4096))

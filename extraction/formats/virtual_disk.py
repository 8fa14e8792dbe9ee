"""Disk of a virtual machine or of a forensic tool (qcow2, VMDK, VHD, VHDX, E01) -> the files of the disk in it."""

import importlib.util
from collections.abc import Iterator

from core.records import Status
from extraction.content import Content
from extraction.format import Need, Piece, StoppedError, fault_of
from extraction.formats.disk_image import files_of_disk
from extraction.identify.identify import identify
from extraction.limits.budget import Budget, LimitError
from extraction.media_types import EWF, QCOW, VHD, VMDK
from extraction.readers.disks.file_system import FAULTS
from extraction.readers.disks.virtual import buffered, open_disk

MEDIA_TYPES = frozenset({EWF, QCOW, VHD, VMDK})
IS_ARCHIVE = True
STREAMED = True


def _found() -> str:
    names = ("pyewf", "pyqcow", "pyvhdi", "pyvmdk", "pyluksde", "pybde", "pyfsxfs", "pyfshfs", "pyfsapfs")
    return "installed" if all(importlib.util.find_spec(name) for name in names) else ""


NEEDS: tuple[Need, ...] = (
    Need(
        "libyal",
        "E01, qcow2, VMDK, VHD, XFS, HFS+, APFS, locked volumes with a password",
        "pip install 'leakscreen[disks]'",
        _found,
    ),
)


def extract(content: Content, budget: Budget) -> Iterator[Piece]:
    try:
        disk = open_disk(identify(content.data), content.file(), budget)
    except ImportError:
        raise StoppedError(Status.UNSUPPORTED, "disk not read (the extra disks is not installed)") from None
    except FAULTS as error:
        raise StoppedError(Status.FAILED, fault_of(error)) from None
    try:
        yield from files_of_disk(buffered(disk), disk.size, content, budget)
    except StoppedError as stopped:
        raise StoppedError(stopped.status, disk.limit or stopped.reason) from None
    if disk.limit:
        raise LimitError(disk.limit)

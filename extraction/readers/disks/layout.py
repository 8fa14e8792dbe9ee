"""First bytes of a disk or a volume -> which file system it is, and where its partitions lie."""

import struct
from collections.abc import Iterator
from typing import BinaryIO

EXT, FAT, NTFS, EXFAT, XFS, HFS, APFS = "ext", "FAT", "NTFS", "exFAT", "XFS", "HFS+", "APFS"
ENCRYPTED = "encrypted"
UNREAD = frozenset({"Btrfs", "F2FS", "LVM", "Linux RAID", "ReFS"})  # recognised, and read by no library here
LOOK = 65_536 + 4096
SECTOR = 512
_SECTORS = (512, 4096)
_ISO = slice(32769, 32774)  # a disc that also boots from a stick has a partition table as well
_ENCRYPTED = (b"-FVE-FS-", b"LUKS\xba\xbe")
_TO_GO = 424, bytes.fromhex("3bd66749292ed84a8399f6a339e3d001")  # BitLocker on a stick looks like a FAT volume
_UNREAD = (
    (65_600, b"_BHRfS_M", "Btrfs"),
    (1024, b"\x10\x20\xf5\xf2", "F2FS"),
    *((sector * SECTOR, b"LABELONE", "LVM") for sector in range(4)),
    (4096, b"\xfc\x4e\x2b\xa9\x01\0\0\0", "Linux RAID"),
    (0, b"\xfc\x4e\x2b\xa9\x01\0\0\0", "Linux RAID"),
    (3, b"ReFS\0\0\0\0", "ReFS"),
)
_EXTENDED = frozenset({0x05, 0x0F, 0x85})
_PROTECTIVE = 0xEE
_MOST_PARTITIONS = 1024
_ENTRY = struct.Struct("<B3xB3xII")  # status, type, first sector, sectors
Range = tuple[int, int]  # first byte, bytes


def looks_like_disk(data: bytes) -> bool:
    """Whether it is a known volume, or a disk with a plausible partition table."""
    if data[_ISO] == b"CD001":
        return False
    return bool(file_system(data)) or _gpt_sector(data) > 0 or bool(_table(data)) or _is_apple_map(data)


def file_system(head: bytes) -> str:
    """The file system of the volume that starts here, or another name of what it is; empty if unknown."""
    if head[3:11] == b"NTFS    ":
        return NTFS
    if head.startswith(b"XFSB\0\0"):
        return XFS
    if head[3:11] == b"EXFAT   " and head[510:512] == b"\x55\xaa":
        return EXFAT
    if head.startswith(_ENCRYPTED[1]) or head[3:11] == _ENCRYPTED[0] or head.startswith(_TO_GO[1], _TO_GO[0]):
        return ENCRYPTED
    if head[1080:1082] == b"\x53\xef" and _is_ext(head):
        return EXT
    if head[1024:1028] in (b"H+\0\4", b"HX\0\5"):
        return HFS
    if head[32:36] == b"NXSB":
        return APFS
    if _is_fat(head):
        return FAT
    return next((name for place, mark, name in _UNREAD if head.startswith(mark, place)), "")


def _is_ext(head: bytes) -> bool:
    if len(head) < 1104:
        return False
    inodes, blocks = struct.unpack_from("<II", head, 1024)
    (block_size,), (revision,) = struct.unpack_from("<I", head, 1048), struct.unpack_from("<I", head, 1100)
    return bool(inodes and blocks and block_size <= 6 and revision <= 1)


def _is_fat(head: bytes) -> bool:
    if head[510:512] != b"\x55\xaa" or head[0] not in b"\xeb\xe9":
        return False
    sector, cluster, reserved, tables = struct.unpack_from("<HBHB", head, 11)
    return (
        sector in (512, 1024, 2048, 4096)
        and cluster > 0
        and not cluster & (cluster - 1)
        and reserved > 0
        and tables in (1, 2)
        and head[21] >= 0xF0
    )


def partitions(disk: BinaryIO) -> Iterator[Range]:
    """In the order of the table; none of it is trusted, so a range may lie beyond the end of the disk."""
    head = _read(disk, 0, LOOK)
    sector = _gpt_sector(head)
    if sector:
        yield from _gpt(disk, sector)
    elif _is_apple_map(head):
        yield from _apple_map(disk, head)
    else:
        yield from _mbr(disk, head)


def _gpt_sector(head: bytes) -> int:
    return next((size for size in _SECTORS if head[size : size + 8] == b"EFI PART"), 0)


def _gpt(disk: BinaryIO, sector: int) -> Iterator[Range]:
    header = _read(disk, sector, 92)
    if len(header) < 92:
        return
    start, count, length = struct.unpack_from("<QII", header, 72)
    if not 56 <= length <= 4096:
        return
    for number in range(min(count, _MOST_PARTITIONS)):
        entry = _read(disk, start * sector + number * length, 48)
        if len(entry) < 48:
            return
        first, last = struct.unpack_from("<QQ", entry, 32)
        if any(entry[:16]) and 0 < first <= last:
            yield first * sector, (last - first + 1) * sector


def _is_apple_map(head: bytes) -> bool:
    return head.startswith(b"ER") and head.startswith(b"PM\0\0", SECTOR)


def _apple_map(disk: BinaryIO, head: bytes) -> Iterator[Range]:
    """Disks of old Macs; without the entries of the map itself and of free space."""
    (count,) = struct.unpack_from(">I", head, SECTOR + 4)
    for number in range(1, 1 + min(count, _MOST_PARTITIONS)):
        entry = _read(disk, number * SECTOR, 80)
        if len(entry) < 80 or not entry.startswith(b"PM"):
            return
        start, length = struct.unpack_from(">II", entry, 8)
        if start and length and not entry.startswith((b"Apple_partition_map", b"Apple_Free"), 48):
            yield start * SECTOR, length * SECTOR


def _mbr(disk: BinaryIO, head: bytes) -> Iterator[Range]:
    for kind, first, count in _table(head):
        if kind in _EXTENDED:
            yield from _logical(disk, first)
        else:
            yield first * SECTOR, count * SECTOR


def _logical(disk: BinaryIO, extended: int) -> Iterator[Range]:
    """Each logical partition has its own table, which also points to the next one."""
    place = extended
    for _ in range(_MOST_PARTITIONS):
        following = 0
        for kind, first, count in _table(_read(disk, place * SECTOR, SECTOR)):
            if kind in _EXTENDED:
                following = extended + first
            else:
                yield (place + first) * SECTOR, count * SECTOR
        if following <= place:
            return
        place = following


def _table(head: bytes) -> list[tuple[int, int, int]]:
    """The entries in use, none if one of the four is impossible."""
    if head[510:512] != b"\x55\xaa":
        return []
    entries = [_ENTRY.unpack_from(head, 446 + 16 * number) for number in range(4)]
    used = [(kind, first, count) for status, kind, first, count in entries if kind]
    if any(status not in (0, 0x80) for status, *_ in entries) or any(
        not first or not count for _, first, count in used
    ):
        return []
    return [entry for entry in used if entry[0] != _PROTECTIVE]


def _read(disk: BinaryIO, place: int, count: int) -> bytes:
    disk.seek(place)
    return disk.read(count)

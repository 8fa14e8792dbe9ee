"""Encrypted volume (LUKS, BitLocker) and passwords -> its plain bytes, if one of the passwords fits."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, cast

from extraction.lazy_import import LazyModule
from extraction.readers.disks.file_system import FAULTS

_LUKS, _BITLOCKER = LazyModule("pyluksde"), LazyModule("pybde")
_LUKS_MARK = b"LUKS\xba\xbe"


@dataclass(frozen=True, slots=True)
class Unlocked:
    file: BinaryIO
    size: int


def unlocked(volume: BinaryIO, size: int, passwords: Sequence[str]) -> Unlocked | None:
    """None where no password fits, or the library for it is missing.

    Windows leaves the key of a BitLocker volume in the clear until its protection is turned on: that needs none.
    """
    volume.seek(0)
    is_luks = volume.read(len(_LUKS_MARK)) == _LUKS_MARK
    for password in passwords if is_luks else ("", *passwords):
        try:
            opened = (_LUKS if is_luks else _BITLOCKER).load().volume()
            _offer(opened, password, is_luks)
            opened.open_file_object(volume)
            opened.unlock()
            if not opened.is_locked():
                return Unlocked(cast(BinaryIO, opened), int(opened.get_size()))
        except FAULTS:  # another password, or a kind that the library does not know
            continue
    return None


def _offer(volume: Any, password: str, is_luks: bool) -> None:
    """BitLocker's recovery passwords are eight groups of six digits."""
    if not is_luks and password.replace("-", "").isdigit() and len(password) == 55:
        volume.set_recovery_password(password)
    elif password:
        volume.set_password(password)

"""Mode bits and access control lists -> who beside the owner may read a file, in a word or a few."""

import grp
import os
import pwd
import struct
from collections.abc import Callable
from functools import cache

from core.access import EVERYONE, GROUP, OWNER
from extraction.opening.access_words import READ, from_mode

_POSIX = "system.posix_acl_access"
_UNREAD = {"system.nfs4_acl": "NFSv4 list", "system.cifs_acl": "SMB list"}  # reported, not read
_VERSION = 2
_ENTRY = struct.Struct("<HHI")  # tag, permissions, number of the user or group
_USER, _OWN_GROUP, _NAMED_GROUP, _MASK = 0x02, 0x04, 0x08, 0x10


def from_acl(mode: int, path: str | bytes) -> str:
    """One more call for each file where it has no list, three where the file system knows none."""
    try:
        listed = os.getxattr(path, _POSIX, follow_symlinks=False)
    except OSError:
        return ", ".join([from_mode(mode), *(words for name, words in _UNREAD.items() if _is_there(path, name))])
    return from_posix_acl(mode, listed)


def from_posix_acl(mode: int, listed: bytes) -> str:
    """Named users and groups count where the list's mask lets them read."""
    if len(listed) % _ENTRY.size != 4 or struct.unpack_from("<I", listed)[0] != _VERSION:
        return f"{from_mode(mode)}, list of an unknown kind"
    entries = list(_ENTRY.iter_unpack(listed[4:]))
    mask = next((bits for tag, bits, _ in entries if tag == _MASK), 7)
    readers = [(tag, number) for tag, bits, number in entries if bits & mask & READ]
    circle = EVERYONE if mode & READ else GROUP if any(tag == _OWN_GROUP for tag, _ in readers) else OWNER
    users = [f"user {_name(pwd.getpwuid, number)}" for tag, number in readers if tag == _USER]
    groups = [f"group {_name(grp.getgrgid, number)}" for tag, number in readers if tag == _NAMED_GROUP]
    return ", ".join([circle, *users, *groups])


@cache
def _name(look_up: Callable[[int], tuple[object, ...]], number: int) -> str:
    try:
        return str(look_up(number)[0])
    except KeyError:
        return str(number)


def _is_there(path: str | bytes, name: str) -> bool:
    try:
        os.getxattr(path, name, follow_symlinks=False)
    except OSError:
        return False
    return True

"""An open file -> its owner, mode, times and extended attributes as JSON, and back onto another open file."""

import base64
import contextlib
import os
import stat
from typing import Any

_NOT_OURS = ("security.selinux", "security.ima", "security.evm")  # the kernel gives a new file its own


def metadata_of(descriptor: int) -> dict[str, Any]:
    status = os.fstat(descriptor)
    return {
        "mode": stat.S_IMODE(status.st_mode),
        "uid": status.st_uid,
        "gid": status.st_gid,
        "mtime_ns": status.st_mtime_ns,
        "atime_ns": status.st_atime_ns,
        "xattrs": _attributes(descriptor),
    }


def apply_metadata(descriptor: int, metadata: dict[str, Any]) -> list[str]:
    """What could not be given back, by name: another owner needs root, and not every file system has attributes."""
    missed = []
    status = os.fstat(descriptor)
    if (status.st_uid, status.st_gid) != (metadata["uid"], metadata["gid"]):
        try:
            os.fchown(descriptor, metadata["uid"], metadata["gid"])
        except OSError:
            missed.append("owner")
    for name, value in metadata["xattrs"].items():
        try:
            os.setxattr(descriptor, name, base64.b64decode(value))
        except OSError:
            missed.append(name)
    os.fchmod(descriptor, metadata["mode"])  # after the owner, whose change clears bits, and after the access list
    os.utime(descriptor, ns=(metadata["atime_ns"], metadata["mtime_ns"]))
    return missed


def _attributes(descriptor: int) -> dict[str, str]:
    found = {}
    with contextlib.suppress(OSError):  # a file system without attributes
        for name in os.listxattr(descriptor):
            if name not in _NOT_OURS:
                found[name] = base64.b64encode(os.getxattr(descriptor, name)).decode()
    return found

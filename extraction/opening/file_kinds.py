"""The mode of a file -> why it cannot be scanned, if it is not a regular file."""

import stat

_KINDS = (
    (stat.S_ISLNK, "symbolic link"),
    (stat.S_ISDIR, "not a regular file (directory)"),
    (stat.S_ISFIFO, "not a regular file (named pipe)"),
    (stat.S_ISSOCK, "not a regular file (socket)"),
    (stat.S_ISCHR, "not a regular file (device)"),
    (stat.S_ISBLK, "not a regular file (device)"),
)


def fault_of_mode(mode: int) -> str:
    """Empty for a regular file."""
    if stat.S_ISREG(mode):
        return ""
    return next((fault for is_kind, fault in _KINDS if is_kind(mode)), "not a regular file (special file)")

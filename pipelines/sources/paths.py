"""Raw paths, user numbers and errors of the operating system -> text for people."""

import errno
import pwd
import re
from functools import cache


def escape(path: bytes) -> str:
    """The path as text; bytes that are not UTF-8 are percent-escaped, everything else stays as it is."""
    try:
        return path.decode("utf-8")
    except UnicodeDecodeError:
        return re.sub(
            r"[\udc80-\udcff]", lambda byte: f"%{ord(byte[0]) - 0xDC00:02X}", path.decode("utf-8", "surrogateescape")
        )


@cache
def owner_name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def plain_reason(error: OSError) -> str:
    words = {
        errno.EACCES: "permission denied",
        errno.EPERM: "permission denied",
        errno.ENOENT: "no such file or folder",
    }
    return words.get(error.errno or 0, (error.strerror or type(error).__name__).lower())

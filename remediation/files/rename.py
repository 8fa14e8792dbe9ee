"""Two names -> exchanged, or one moved to where nothing is, in one step of the kernel or by links where it has none."""

import ctypes
import errno
import os

_NOREPLACE, _EXCHANGE = 1, 2
_UNKNOWN = (errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP)
_library = ctypes.CDLL(None, use_errno=True)
_renameat2 = getattr(_library, "renameat2", None)

Name = tuple[int, bytes]  # a folder's descriptor, and a name in it


class NoExchangeError(OSError):
    """The file system exchanges no names, as NFS and SMB do not."""


def exchange(one: Name, other: Name) -> None:
    """Both names exist before and after, at every moment."""
    try:
        _rename(one, other, _EXCHANGE)
    except OSError as error:
        if error.errno in _UNKNOWN:
            raise NoExchangeError(error.errno, error.strerror) from None
        raise


def move_to_free(old: Name, new: Name) -> None:
    """Raises FileExistsError where there is something; nothing is ever replaced."""
    try:
        _rename(old, new, _NOREPLACE)
    except OSError as error:
        if error.errno not in _UNKNOWN:
            raise
        os.link(old[1], new[1], src_dir_fd=old[0], dst_dir_fd=new[0], follow_symlinks=False)
        os.unlink(old[1], dir_fd=old[0])


def _rename(old: Name, new: Name, flags: int) -> None:
    if _renameat2 is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    if _renameat2(old[0], old[1], new[0], new[1], flags) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))

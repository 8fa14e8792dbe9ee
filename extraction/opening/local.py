"""Path of any length -> descriptor of the file there, without following a link anywhere on the way."""

import contextlib
import ctypes
import os
from collections.abc import Iterator

_OPENAT2 = 437  # the same number on all architectures
_NO_LINKS = 0x02 | 0x04  # RESOLVE_NO_MAGICLINKS, RESOLVE_NO_SYMLINKS
_HERE = -100  # AT_FDCWD
_LONGEST_STEP = 4_000  # below PATH_MAX
# O_NONBLOCK: opening a named pipe would wait for a writer. O_NOCTTY: a terminal must not become ours.
_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_STEP_FLAGS = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_WITHOUT_TRACE = getattr(os, "O_NOATIME", 0)
_library = ctypes.CDLL(None, use_errno=True)


class _How(ctypes.Structure):
    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


_HOW = {flags: _How(flags, 0, _NO_LINKS) for flags in (_FLAGS, _FLAGS | _WITHOUT_TRACE, _STEP_FLAGS)}
_HOW_SIZE = ctypes.c_size_t(ctypes.sizeof(_How))


def open_file(path: bytes) -> int:
    """Keeps the access time if the kernel allows it. Raises OSError, or ValueError for an impossible name."""
    try:
        return _open(path, _FLAGS | _WITHOUT_TRACE)
    except PermissionError:
        return _open(path, _FLAGS)


def open_folder(path: bytes) -> int:
    """A descriptor by which names in the folder are reached, whatever becomes of the path meanwhile."""
    return _open(path, _STEP_FLAGS)


def _open(path: bytes, flags: int) -> int:
    if b"\0" in path:
        raise ValueError("a name with a zero byte")
    if len(path) > _LONGEST_STEP or not _resolves_without_links:
        return _open_stepwise(path, flags)
    return _open_at(_HERE, path, flags)


def _open_at(folder: int, path: bytes, flags: int) -> int:
    descriptor = int(_library.syscall(_OPENAT2, folder, path, ctypes.byref(_HOW[flags]), _HOW_SIZE))
    if descriptor < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return descriptor


def _open_stepwise(path: bytes, flags: int) -> int:
    """In steps of one folder, or of the longest path that is allowed; each stays open until the next one is."""
    steps = list(_steps(path) if _resolves_without_links else _single_steps(path))
    opened = _open_at if _resolves_without_links else _open_one
    folder = _HERE
    try:
        for step in steps[:-1]:
            inner = opened(folder, step, _STEP_FLAGS)
            _leave(folder)
            folder = inner
        return opened(folder, steps[-1], flags)
    finally:
        _leave(folder)


def _open_one(folder: int, name: bytes, flags: int) -> int:
    return os.open(name, flags, dir_fd=None if folder == _HERE else folder)


def _leave(folder: int) -> None:
    if folder != _HERE:
        os.close(folder)


def _steps(path: bytes) -> Iterator[bytes]:
    while len(path) > _LONGEST_STEP:
        cut = path.rfind(b"/", 1, _LONGEST_STEP)
        if cut < 0:
            break  # a single name of that length: the kernel says what is wrong with it
        yield path[:cut]
        path = path[cut:].lstrip(b"/")
    yield path


def _single_steps(path: bytes) -> Iterator[bytes]:
    if path.startswith(b"/"):
        yield b"/"
    yield from [name for name in path.split(b"/") if name] or [path]


def _openat2_works() -> bool:
    """Linux 5.6 has it, but some container profiles refuse it."""
    with contextlib.suppress(OSError):
        os.close(_open_at(_HERE, b"/", _STEP_FLAGS))
        return True
    return False


_resolves_without_links = _openat2_works()

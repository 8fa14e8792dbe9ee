"""A path -> the folder's descriptor and the name in it, reached without following a link; and what is there now."""

import contextlib
import fcntl
import hashlib
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from extraction.opening.file_kinds import fault_of_mode
from extraction.opening.local import open_folder
from remediation.action import LeftAloneError, UnreachableError
from remediation.files.rename import Name

_CHUNK = 1 << 20
_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY


@dataclass(frozen=True, slots=True)
class Place:
    """A name in an open folder. Whatever happens to the path meanwhile, it stays the same folder."""

    folder: int
    name: bytes

    @property
    def at(self) -> Name:
        return self.folder, self.name

    def open(self) -> int:
        """A descriptor of the regular file there; LeftAloneError where there is none."""
        try:
            descriptor = os.open(self.name, _FLAGS, dir_fd=self.folder)
        except FileNotFoundError:
            raise LeftAloneError("it is no longer there") from None
        except OSError as error:
            raise LeftAloneError(f"it cannot be opened ({words(error)})") from None
        fault = fault_of_mode(os.fstat(descriptor).st_mode)
        if fault:
            os.close(descriptor)
            raise LeftAloneError(f"it is a {fault}" if "link" in fault else f"it is {fault}")
        return descriptor

    def hash(self) -> str | None:
        """Of what is there now; None where there is no regular file."""
        try:
            descriptor = self.open()
        except LeftAloneError:
            return None
        try:
            return content_hash(descriptor)
        finally:
            os.close(descriptor)

    def is_free(self) -> bool:
        try:
            os.stat(self.name, dir_fd=self.folder, follow_symlinks=False)
        except FileNotFoundError:
            return True
        return False


@contextmanager
def place_of(path: bytes) -> Iterator[Place]:
    """UnreachableError where the folder is gone, or reached through a link."""
    folder, name = os.path.split(path)
    try:
        descriptor = open_folder(folder or b"/")
    except (OSError, ValueError) as error:
        why = words(error) if isinstance(error, OSError) else "impossible name"
        raise UnreachableError(f"its folder cannot be opened without following links ({why})") from None
    try:
        yield Place(descriptor, name)
    finally:
        os.close(descriptor)


def content_hash(descriptor: int) -> str:
    digest = hashlib.sha256()
    for chunk in chunks_of(descriptor):
        digest.update(chunk)
    return digest.hexdigest()


def chunks_of(descriptor: int) -> Iterator[bytes]:
    at = 0
    while chunk := os.pread(descriptor, _CHUNK, at):
        at += len(chunk)
        yield chunk


class Unchanged:
    """Watches an open file: whether anybody wrote to it, or may have, since it was opened.

    A lease shows that nobody has it open for writing, and tells of who tries to. File systems without leases, and files
    of other owners, are watched by size and times alone, and read once more in the end.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._seen = os.fstat(descriptor)
        self.leased = False
        signal.signal(signal.SIGIO, signal.SIG_IGN)  # how the kernel tells of who tries; it would end the process
        try:
            fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
            self.leased = True
        except BlockingIOError:
            raise LeftAloneError("another process has it open for writing") from None
        except OSError:
            pass

    def holds(self, name: Name, sha256: str) -> bool:
        """Whether this very file, unchanged, now has that name."""
        try:
            there = os.stat(name[1], dir_fd=name[0], follow_symlinks=False)
        except OSError:
            return False
        known = self._seen
        if (there.st_dev, there.st_ino) != (known.st_dev, known.st_ino):
            return False
        if (there.st_size, there.st_mtime_ns) != (known.st_size, known.st_mtime_ns):
            return False
        if self.leased:
            return fcntl.fcntl(self._descriptor, fcntl.F_GETLEASE) == fcntl.F_RDLCK
        return content_hash(self._descriptor) == sha256

    def end(self) -> None:
        if self.leased:
            with contextlib.suppress(OSError):
                fcntl.fcntl(self._descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
            self.leased = False


def words(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()

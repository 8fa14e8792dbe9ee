"""A file as the walk saw it -> its Documents; no bad file raises."""

import dataclasses
import errno
import os
import stat
from collections.abc import Iterator

from core.records import Document, FileRef, Status
from extraction.sandbox import Sandbox
from extraction.signatures import UNKNOWN

CHANGED = "changed while it was read"
_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_WITHOUT_TRACE = getattr(os, "O_NOATIME", 0)
_REASONS = {
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.ENOENT: "vanished",
    errno.ENOTDIR: "vanished",
    errno.ELOOP: "symbolic link",
    errno.ENXIO: "not a regular file (socket)",
    errno.EISDIR: "not a regular file (directory)",
    errno.ENAMETOOLONG: "name too long",
    errno.EIO: "input/output error",
    errno.ESTALE: "vanished",
    errno.EMFILE: "too many open files",
    errno.ENFILE: "too many open files",
}
_KINDS = (
    (stat.S_ISDIR, "directory"),
    (stat.S_ISFIFO, "named pipe"),
    (stat.S_ISSOCK, "socket"),
    (stat.S_ISCHR, "device"),
    (stat.S_ISBLK, "device"),
)


class _UnreadableError(Exception):
    pass


def examine(ref: FileRef, sandbox: Sandbox) -> Iterator[Document]:
    """The file and its members; a file that changes while it is read is read once more."""
    if ref.fault:
        yield _unreadable(ref, ref.fault)
        return
    try:
        descriptor = _open(ref.path)
    except _UnreadableError as fault:
        yield _unreadable(ref, str(fault))
        return
    try:
        yield from _read_steadily(ref, descriptor, sandbox)
    finally:
        os.close(descriptor)


def _open(path: bytes) -> int:
    try:
        descriptor = _open_without_trace(path)
    except OSError as error:
        raise _UnreadableError(_reason(error)) from None
    except ValueError:
        raise _UnreadableError("impossible name") from None
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return descriptor
    os.close(descriptor)
    kind = next((name for is_kind, name in _KINDS if is_kind(mode)), "special file")
    raise _UnreadableError(f"not a regular file ({kind})")


def _reason(error: OSError) -> str:
    number = error.errno or 0
    return _REASONS.get(number) or f"cannot be opened ({errno.errorcode.get(number, 'error')})"


def _open_without_trace(path: bytes) -> int:
    """Without touching the access time, where the kernel lets us."""
    try:
        return os.open(path, _FLAGS | _WITHOUT_TRACE)
    except PermissionError:
        return os.open(path, _FLAGS)


def _read_steadily(ref: FileRef, descriptor: int, sandbox: Sandbox) -> Iterator[Document]:
    before = _state(descriptor)
    documents = list(sandbox.documents(ref, descriptor))
    after = _state(descriptor)
    if after == before:
        yield from documents
        return
    documents = list(sandbox.documents(ref, descriptor))
    if _state(descriptor) == after:
        yield from documents
    else:
        yield from (_unsteady(document) for document in documents)


def _state(descriptor: int) -> tuple[int, int]:
    now = os.fstat(descriptor)
    return now.st_size, now.st_mtime_ns


def _unsteady(document: Document) -> Document:
    """What changed twice was not all examined, whatever its parser thought."""
    if document.container_uri is not None or document.status not in (Status.COMPLETE, Status.CONTAINER):
        return document
    return dataclasses.replace(document, status=Status.PARTIAL, reason=CHANGED)


def _unreadable(ref: FileRef, reason: str) -> Document:
    return Document(ref, ref.uri, None, ref.size, None, UNKNOWN, Status.UNREADABLE, reason)

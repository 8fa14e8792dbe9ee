"""A file as the walk saw it -> its Documents; no bad file raises."""

import dataclasses
import errno
import os
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.records import Document, FileRef, Status
from core.settings import SourceSettings
from extraction.media_types import UNKNOWN
from extraction.opening.fetch_ahead import FetchedAhead, Opening
from extraction.opening.file_kinds import fault_of_mode
from extraction.opening.local import open_file
from extraction.opening.object_store import NO_SETTINGS, ObjectError
from extraction.opening.pace import NO_PACE, Pace
from extraction.opening.streamed_object import StreamedObject
from extraction.sandbox import Question, Sandbox

_State = tuple[int, int]
CHANGED = "changed while it was read"
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
AHEAD = 4  # files handed to the sandbox before the answer to the first of them is read


@dataclass(slots=True)
class _Begun:
    """A file that the sandbox may already be parsing, or the reason why it cannot be read."""

    ref: FileRef
    question: Question | None
    state: _State | None = None  # of a file that may change while it is read
    fault: str = ""
    streamed: StreamedObject | None = None


class _UnreadableError(Exception):
    pass


def examine(ref: FileRef, sandbox: Sandbox, sources: SourceSettings = NO_SETTINGS) -> Iterator[Document]:
    """The file and its members; a file that changes while it is read is read once more."""
    return examine_each((ref,), sandbox, sources)


def examine_each(
    refs: Iterable[FileRef], sandbox: Sandbox, sources: SourceSettings = NO_SETTINGS, pace: Pace = NO_PACE
) -> Iterator[Document]:
    """Many files in their order. The next few are opened and parsed while the caller still works on the first."""
    waiting: deque[_Begun] = deque()
    try:
        with FetchedAhead(sandbox.limits, sources, pace) as fetched:
            for ref, opening in fetched.each(refs):
                waiting.append(_begin(ref, opening, sandbox, pace))
                if len(waiting) > AHEAD:
                    yield from _finish(waiting.popleft(), sandbox)
            while waiting:
                yield from _finish(waiting.popleft(), sandbox)
    finally:
        for begun in waiting:
            if begun.question is not None:
                sandbox.withdraw(begun.question)
            _close(begun)


def _begin(ref: FileRef, fetched: Opening | None, sandbox: Sandbox, pace: Pace) -> _Begun:
    if ref.fault:
        return _Begun(ref, None, fault=ref.fault)
    try:
        if fetched is not None:
            opened = fetched()
            question = Question(ref, opened.descriptor, opened.size, is_whole=opened.streamed is None)
            begun = _Begun(ref, question, streamed=opened.streamed)
        else:
            pace.open_file(min(ref.size, sandbox.limits.streamed_bytes))
            descriptor, seen = _open(ref.path)
            begun = _Begun(ref, Question(ref, descriptor, seen.st_size), (seen.st_size, seen.st_mtime_ns))
    except (_UnreadableError, ObjectError) as fault:
        return _Begun(ref, None, fault=str(fault))
    assert begun.question is not None
    sandbox.ask(begun.question)
    return begun


def _finish(begun: _Begun, sandbox: Sandbox) -> Iterator[Document]:
    if begun.question is None:
        yield Document(begun.ref, begun.ref.uri, None, begun.ref.size, None, UNKNOWN, Status.UNREADABLE, begun.fault)
        return
    try:
        if begun.streamed is not None:
            yield from _read_growing(begun.question, begun.streamed, sandbox)
        elif begun.state is None:
            yield from sandbox.answers(begun.question)
        else:
            yield from _read_steadily(begun.question, begun.state, sandbox)
    finally:
        _close(begun)


def _close(begun: _Begun) -> None:
    if begun.question is not None:
        os.close(begun.question.descriptor)
    if begun.streamed is not None:
        begun.streamed.close()


def _read_growing(question: Question, streamed: StreamedObject, sandbox: Sandbox) -> Iterator[Document]:
    """Fetches the rest of an object as fast as the parser reads it; if it does not come, the record says why."""
    for document in sandbox.answers(question):
        if document.more:
            streamed.release_window()
        elif document.container_uri is None and streamed.fault and document.status in (Status.COMPLETE, Status.PARTIAL):
            document = dataclasses.replace(document, status=Status.PARTIAL, reason=streamed.fault)
        yield document


def _open(path: bytes) -> tuple[int, os.stat_result]:
    try:
        descriptor = open_file(path)
    except OSError as error:
        raise _UnreadableError(_reason(error)) from None
    except ValueError:
        raise _UnreadableError("impossible name") from None
    seen = os.fstat(descriptor)
    if fault := fault_of_mode(seen.st_mode):
        os.close(descriptor)
        raise _UnreadableError(fault)
    return descriptor, seen


def _reason(error: OSError) -> str:
    number = error.errno or 0
    return _REASONS.get(number) or f"cannot be opened ({errno.errorcode.get(number, 'error')})"


def _read_steadily(question: Question, before: _State, sandbox: Sandbox, *, again: bool = True) -> Iterator[Document]:
    documents = []
    handed_out = False  # windows of a large text and members of a source are screened already and cannot be taken back
    for document in sandbox.answers(question):
        if document.more or (document.ref.is_source and document.container_uri is not None):
            handed_out = True
            yield document
        else:
            documents.append(document)
    after = _state(question.descriptor)
    if after != before and again and not handed_out:
        yield from _read_steadily(Question(question.ref, question.descriptor, after[0]), after, sandbox, again=False)
    else:
        yield from documents if after == before else map(_unsteady, documents)


def _state(descriptor: int) -> _State:
    now = os.fstat(descriptor)
    return now.st_size, now.st_mtime_ns


def _unsteady(document: Document) -> Document:
    """A file that changed twice was not examined completely, whatever its parser reported."""
    if document.container_uri is not None or document.status not in (Status.COMPLETE, Status.CONTAINER):
        return document
    return dataclasses.replace(document, status=Status.PARTIAL, reason=CHANGED)

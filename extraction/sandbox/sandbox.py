"""An open file -> its Documents, parsed by a confined child that may hang, crash or lie."""

import contextlib
import hashlib
import os
import threading
import time
from collections import deque
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from core.errors import SandboxError
from core.records import Document, FileRef
from core.settings import LimitSettings, OcrSettings
from extraction.confinement.protection import Protection, probe
from extraction.ocr.face_detector import require_detector
from extraction.passwords import read_passwords
from extraction.sandbox.assembly import Assembly
from extraction.sandbox.frames import FrameError
from extraction.sandbox.processes import (
    EXIT_GRACE_SECONDS,
    UNKNOWN_CAUSE,
    Child,
    ChildDiedError,
    NoZygoteError,
    Zygote,
)

LAST_PAGE = 65_535  # that can be asked for
_HASHED_AT_ONCE = 1 << 20
_MOST_ZYGOTES = 3  # tried in a row
_BYTES_A_RENEWAL = 1 << 20  # of a file: for each, a child may once more have the time of a file
_SECONDS_KEPT_FREE = 30.0  # margin: the last file that a child starts ends before the child's processor time does
_NO_PROTECTION = (
    "the kernel offers neither Landlock nor seccomp, so hostile files cannot be parsed safely; "
    "use Linux 5.13 or later, or set privacy.sandbox to allow-none and accept the risk"
)


@dataclass(slots=True, eq=False)
class Question:
    """An open file to parse; its descriptor stays open until the answer is complete."""

    ref: FileRef
    descriptor: int
    size: int
    is_whole: bool = True  # False: an object that passes through memory piece by piece, whose hash the child makes

    def own_hash(self) -> str | None:
        """Made here, because files of equal hash are examined once and a child could name another file's."""
        if not self.is_whole:
            return None
        digest = hashlib.sha256()
        place = 0
        try:
            while piece := os.pread(self.descriptor, _HASHED_AT_ONCE, place):
                digest.update(piece)
                place += len(piece)
        except OSError:
            return None
        return digest.hexdigest()


class _OldChildError(Exception):
    """A child that has worked on one archive for so long that a new one must continue."""


class Sandbox:
    """One zygote and one child at a time; for one thread at a time.

    Questions may be asked ahead of the answers, so that parent and child need not wait for each other at every file.
    They are answered in order: the child works on the first in the queue, which is to blame if the child dies.
    `plugins` are dotted names of further modules that hold formats, see extraction/format.py.
    """

    def __init__(
        self,
        limits: LimitSettings,
        *,
        ocr: OcrSettings | None = None,
        require: bool = True,
        plugins: tuple[str, ...] = (),
        passwords_file: str = "",
    ) -> None:
        if require:
            require_protection()
        self._limits = limits
        self._ocr = ocr or OcrSettings()
        self._require = require
        self._plugins = plugins
        read_passwords(passwords_file)  # refused here, where it can be told
        require_detector(self._ocr)
        self._passwords_file = str(Path(passwords_file).expanduser().absolute()) if passwords_file else ""
        self._turn = threading.Lock()
        self._child: Child | None = None
        self._queue: deque[Question] = deque()  # not yet answered, in their order
        self._sent = 0  # how many of them, from the first, were sent to the present child
        self._page = 0  # to draw; 0: files are read
        self._zygote = Zygote(limits, self._ocr, plugins, self._passwords_file)
        self.protection: Protection
        try:
            self._ready_child()
        except ChildDiedError:
            self.close()
            raise SandboxError(
                "the kernel offers a sandbox and then refuses it; set privacy.sandbox to allow-none to scan without"
            ) from None

    def ask(self, question: Question) -> None:
        """Sends the question ahead of its turn, so that the child can start as soon as it is free."""
        self._queue.append(question)
        if self._child is not None:
            self._send_ahead(self._child)

    def withdraw(self, question: Question) -> None:
        """Takes back a question that was asked ahead."""
        if question in self._queue:
            if self._queue.index(question) < self._sent:
                self._end_child()
            self._queue.remove(question)

    def answers(self, question: Question) -> Iterator[Document]:
        """The file and its members, each once; the outermost file comes last."""
        if not self._turn.acquire(blocking=False):
            raise RuntimeError("a Sandbox serves one file at a time")
        try:
            if not self._queue or self._queue[0] is not question:
                self.withdraw(question)
                if self._sent:
                    self._end_child()
                self._queue.appendleft(question)
            yield from self._attempts(question)
        finally:
            self._queue.popleft()
            self._sent = max(0, self._sent - 1)
            self._turn.release()

    @contextlib.contextmanager
    def drawing(self, page: int) -> Iterator[None]:
        """What is asked in here and can be drawn gets its page instead of its text, see extraction/format.py."""
        if self._queue:
            raise RuntimeError("a file is being read")
        self._page = min(max(1, page), LAST_PAGE)
        try:
            yield
        finally:
            self._page = 0

    @property
    def limits(self) -> LimitSettings:
        return self._limits

    @property
    def child_pid(self) -> int:
        """The process id of the current child, for measurements."""
        return self._ready_child().pid

    def _attempts(self, question: Question) -> Iterator[Document]:
        assembly = Assembly(question.ref, self._limits, question.size, question.own_hash, self._ocr)
        deadline = time.monotonic() + self._limits.file_seconds
        last = deadline + self._limits.file_seconds * (1 + question.size // _BYTES_A_RENEWAL)
        while not assembly.finished:
            try:
                waited = time.monotonic()
                child = self._child_for(question, assembly.skip)
                deadline += time.monotonic() - waited  # no fault of the file
                yield from self._listen(child, assembly, deadline, last)
            except TimeoutError:
                self._end_child()
                yield from assembly.time_out()
                deadline = time.monotonic() + self._limits.file_seconds
            except _OldChildError:
                self._end_child()
                assembly.restart()
            except ChildDiedError:
                yield from assembly.crash(self._end_child(wait=EXIT_GRACE_SECONDS))
            except FrameError:
                self._end_child()
                yield from assembly.crash("broken protocol")
            finally:
                # A reader who stops early leaves the child in the middle of a file; and whatever took a child over
                # must neither see the next file nor answer for it.
                if self._child is not None and self._child.files:
                    self._child.worn += self._limits.recycle_files / assembly.files_of_a_process
                    if not assembly.finished or self._child.worn >= self._limits.recycle_files:
                        self._end_child()

    def _child_for(self, question: Question, skip: Collection[str]) -> Child:
        """The child whose next answer belongs to this question, the first in the queue."""
        if self._sent and self._child is not None:
            return self._child
        if self._child is not None and not self._child.reader.is_empty:
            self._end_child()  # it sends answers without a question
        child = self._ready_child()
        self._send(child, question, skip)
        self._send_ahead(child)
        return child

    def _send_ahead(self, child: Child) -> None:
        while self._sent < len(self._queue) and self._may_ask(child):
            try:
                self._send(child, self._queue[self._sent], ())
            except ChildDiedError:  # handled, and blamed on the right file, when the first answer is read
                return

    def _send(self, child: Child, question: Question, skip: Collection[str]) -> None:
        child.files += 1
        child.request(
            question.descriptor,
            question.size,
            question.ref.uri.rpartition("/")[2],
            skip,
            is_source=question.ref.is_source,
            is_hashed=question.is_whole,
            page=self._page,
        )
        self._sent += 1

    def _listen(self, child: Child, assembly: Assembly, deadline: float, last: float) -> Iterator[Document]:
        """Each window and each member of a source renews the deadline, but no file goes on for ever."""
        while not assembly.finished:
            received = child.reader.take()
            if received is None:
                child.reader.feed(child.receive(deadline))
            elif (document := assembly.take(*received)) is not None:
                yield document
                if document.more or assembly.is_between_streamed_members:
                    deadline = min(last, time.monotonic() + self._limits.file_seconds)
                    if not document.more and self._is_old(child):
                        raise _OldChildError

    def _ready_child(self) -> Child:
        child = self._child
        if child is not None:
            if self._may_ask(child):
                return child
            self._end_child()
        self._child = child = self._new_child()
        try:
            self.protection = child.protection()
        except (TimeoutError, FrameError):
            raise ChildDiedError("no parser process") from None
        if self._require and not self.protection.exists:
            raise ChildDiedError("no protection")
        return child

    def _new_child(self) -> Child:
        """A zygote that is gone, or stopped by somebody, is replaced."""
        for _ in range(_MOST_ZYGOTES):
            if not self._zygote.is_alive:
                self._zygote.close()
                self._zygote = Zygote(self._limits, self._ocr, self._plugins, self._passwords_file)
            try:
                return self._zygote.spawn()
            except NoZygoteError:
                self._zygote.close()
        raise SandboxError("parser processes are stopped or killed as soon as they start; finished units are kept")

    def _may_ask(self, child: Child) -> bool:
        """Old children are replaced well before they reach the processor time limit of their whole life."""
        return child.files < self._limits.recycle_files and not self._is_old(child)

    def _is_old(self, child: Child) -> bool:
        return time.monotonic() - child.born >= self._limits.file_seconds + _SECONDS_KEPT_FREE

    def _end_child(self, *, wait: float = 0.0) -> str:
        child, self._child = self._child, None
        self._sent = 0
        if child is None:
            return UNKNOWN_CAUSE
        how = child.end(self._zygote, wait=wait)
        if how == UNKNOWN_CAUSE:
            self._zygote.close()  # it is dead or stopped: the next child needs a new one
        return how

    def rest(self) -> None:
        """Ends the child, which has seen content; the zygote never sees any, so it stays and forks the next one."""
        self._end_child()

    def close(self) -> None:
        self._end_child()
        self._zygote.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def require_protection() -> None:
    """Refuses a machine whose kernel offers nothing to confine a parser with."""
    if not probe().exists:
        raise SandboxError(_NO_PROTECTION)

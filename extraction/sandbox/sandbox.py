"""An open file -> its Documents, parsed by a confined child that may hang, crash or lie."""

import os
import threading
import time
from collections.abc import Iterator
from types import TracebackType
from typing import Self

from core.errors import SandboxError
from core.records import Document, FileRef
from core.settings import LimitSettings
from extraction.sandbox.assembly import Assembly
from extraction.sandbox.frames import FrameError
from extraction.sandbox.processes import LAST_BREATH_SECONDS, Child, ChildDiedError, Zygote
from extraction.sandbox.protection import Protection, probe

_BUSY_SECONDS_KEPT_FREE = 30.0
_NO_PROTECTION = (
    "the kernel offers neither Landlock nor seccomp, so hostile files cannot be parsed safely; "
    "use Linux 5.13 or later, or set privacy.sandbox to allow-none and accept the risk"
)
_REFUSED = "the kernel offers a sandbox and then refuses it; run where Landlock or seccomp can be used by ordinary processes"


class Sandbox:
    """One zygote and one child at a time; for one thread at a time.

    `plugins` are dotted names of further modules that hold formats, see extraction/format.py.
    """

    def __init__(self, limits: LimitSettings, *, require: bool = True, plugins: tuple[str, ...] = ()) -> None:
        if require and not probe().exists:
            raise SandboxError(_NO_PROTECTION)
        self._limits = limits
        self._require = require
        self._plugins = plugins
        self._turn = threading.Lock()
        self._child: Child | None = None
        self._zygote = Zygote(limits, plugins)
        self.protection: Protection
        try:
            self._ready_child()
        except ChildDiedError:
            self.close()
            raise SandboxError(
                "the kernel offers a sandbox and then refuses it; set privacy.sandbox to allow-none to scan without"
            ) from None

    def documents(self, ref: FileRef, descriptor: int) -> Iterator[Document]:
        """The file and its members, each once; the outermost file comes last."""
        if not self._turn.acquire(blocking=False):
            raise RuntimeError("a Sandbox serves one file at a time")
        try:
            yield from self._attempts(ref, descriptor)
        finally:
            self._turn.release()

    @property
    def child_pid(self) -> int:
        """Of the child that parses now, for those who measure it."""
        return self._ready_child().pid

    def _attempts(self, ref: FileRef, descriptor: int) -> Iterator[Document]:
        assembly = Assembly(ref, self._limits, os.fstat(descriptor).st_size)
        deadline = time.monotonic() + self._limits.seconds
        while not assembly.finished:
            try:
                child = self._ready_child()
                child.request(descriptor, ref.uri.rpartition("/")[2], assembly.skip)
                yield from self._listen(child, assembly, deadline)
            except TimeoutError:
                self._end_child()
                yield from assembly.time_out()
            except ChildDiedError:
                yield from assembly.crash(self._end_child(wait=LAST_BREATH_SECONDS))
            except FrameError:
                self._end_child()
                yield from assembly.crash("broken protocol")
            finally:
                # A reader who stops early leaves the child in the middle of a file.
                if not assembly.finished and self._child is not None and self._child.files:
                    self._end_child()

    def _listen(self, child: Child, assembly: Assembly, deadline: float) -> Iterator[Document]:
        started = time.monotonic()
        child.files += 1
        while not assembly.finished:
            for kind, payload in child.reader.feed(child.receive(deadline)):
                document = assembly.take(kind, payload)
                if document is not None:
                    yield document
        child.busy_seconds += time.monotonic() - started

    def _ready_child(self) -> Child:
        child = self._child
        if child is not None:
            if child.files < self._limits.recycle_files and child.busy_seconds < self._limits.seconds + _BUSY_SECONDS_KEPT_FREE:
                return child
            self._end_child()
        if not self._zygote.is_alive:
            self._zygote.close()
            self._zygote = Zygote(self._limits, self._plugins)
        self._child = child = self._zygote.spawn()
        try:
            self.protection = child.protection()
        except (TimeoutError, FrameError):
            raise ChildDiedError("no parser process") from None
        if self._require and not self.protection.exists:
            raise ChildDiedError("no protection")
        return child

    def _end_child(self, *, wait: float = 0.0) -> str:
        child, self._child = self._child, None
        return child.end(self._zygote, wait=wait) if child is not None else "unknown"

    def close(self) -> None:
        self._end_child()
        self._zygote.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

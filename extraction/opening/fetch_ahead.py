"""An object's address -> a descriptor of its bytes in memory: content from a store is never written to disk."""

import fcntl
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from types import TracebackType

from core.errors import SourceError
from core.records import FileRef
from core.settings import LimitSettings, SourceSettings
from extraction.opening.addresses import is_object
from extraction.opening.object_store import NO_SETTINGS, Fetched, ObjectError, Store, split_address, store_of
from extraction.opening.outages import outages
from extraction.opening.pace import NO_PACE, Pace
from extraction.opening.streamed_object import SEALS, StreamedObject, write_at

_AT_ONCE = 8  # a store has a high latency, but serves many requests at once


@dataclass(frozen=True, slots=True)
class Opened:
    """A descriptor with a file's content, its full size, and what fetches the rest if only the beginning is there."""

    descriptor: int
    size: int
    streamed: StreamedObject | None = None

    def close(self) -> None:
        os.close(self.descriptor)
        if self.streamed is not None:
            self.streamed.close()


Opening = Callable[[], Opened]


def fetch(
    address: bytes, limits: LimitSettings, settings: SourceSettings = NO_SETTINGS, pace: Pace = NO_PACE
) -> Opened:
    """At first one byte beyond the read limit, so that the parser knows that there is more. Raises ObjectError.

    The memory has no name, is sealed against changes, and is freed with its last descriptor, however the process ends.
    """
    pace.open_file()
    try:
        return _fetch(address, limits, settings, pace)
    except ObjectError as error:
        if not error.is_passing:
            raise
        return _fetch(address, limits, settings, pace)  # a connection that broke in the middle is worth a second try


def _fetch(address: bytes, limits: LimitSettings, settings: SourceSettings, pace: Pace) -> Opened:
    try:
        place, key = split_address(address.decode("utf-8", "surrogateescape"))
        store = store_of(place, settings)
    except SourceError:
        raise ObjectError("the store cannot be used") from None
    outages.check(place)
    try:
        opened = _opened(store, key, limits, pace)
    except ObjectError as error:
        outages.note(place, error)
        raise
    outages.note(place, None)
    return opened


def _opened(store: Store, key: str, limits: LimitSettings, pace: Pace) -> Opened:
    most = limits.read_bytes + 1
    fetched = _paced(lambda: store.fetch(key, most), pace)
    descriptor = os.memfd_create("object", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        got = _take(fetched, descriptor, limits.file_seconds, pace)
        if got < min(fetched.size, most):
            raise ObjectError("the store cannot be reached (broken off)")
        if fetched.size > limits.read_bytes and fetched.version:
            only_to_read = os.open(f"/proc/self/fd/{descriptor}", os.O_RDONLY | os.O_CLOEXEC)
            streamed = StreamedObject(
                descriptor, got, fetched.size, partial(_fetch_range, store, key, fetched.version, pace), limits, pace
            )
            return Opened(only_to_read, fetched.size, streamed)
        fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, SEALS)
    except BaseException:
        os.close(descriptor)
        raise
    return Opened(descriptor, fetched.size)


def _fetch_range(store: Store, key: str, version: str, pace: Pace, start: int, most: int) -> Fetched:
    return _paced(lambda: store.fetch(key, most, start, version), pace)


def _paced(ask: Callable[[], Fetched], pace: Pace) -> Fetched:
    """Asks when the pace allows it, and tells the pace how long the server took for the first bytes."""
    pace.request()
    began = time.monotonic()
    try:
        fetched = ask()
    except ObjectError as error:
        if error.is_too_busy:
            pace.refused()
        raise
    first = next(fetched.chunks, b"")
    pace.answered(time.monotonic() - began, len(first))
    return replace(fetched, chunks=chain((first,), fetched.chunks) if first else fetched.chunks)


def _take(fetched: Fetched, descriptor: int, seconds: float, pace: Pace) -> int:
    deadline = time.monotonic() + seconds
    got = 0
    for chunk in fetched.chunks:
        got += write_at(descriptor, chunk, got)
        deadline += pace.took(len(chunk))
        if time.monotonic() > deadline:
            raise ObjectError(f"time limit ({seconds:g} s) while it was fetched")
    return got


@dataclass(slots=True)
class FetchedAhead:
    """Hands out files in their order while the objects among the next few are already being fetched."""

    limits: LimitSettings
    settings: SourceSettings = NO_SETTINGS
    pace: Pace = NO_PACE
    _pool: ThreadPoolExecutor | None = None
    _begun: deque[tuple[FileRef, Future[Opened] | None]] = field(default_factory=deque)
    _bytes: int = 0

    def __enter__(self) -> "FetchedAhead":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Frees what was fetched and not used."""
        if self._pool is None:
            return
        self._pool.shutdown(wait=True, cancel_futures=True)
        for _, future in self._begun:
            if future is not None and not future.cancelled() and future.exception() is None:
                future.result().close()

    def each(self, refs: Iterable[FileRef]) -> Iterator[tuple[FileRef, Opening | None]]:
        """Each file with its object, or None for a local file: there is nothing to fetch."""
        for ref in refs:
            self._begin(ref)
            while self._begun and (
                self._begun[0][1] is None or len(self._begun) > _AT_ONCE or self._bytes > self.limits.read_bytes
            ):
                yield self._next()
        while self._begun:
            yield self._next()

    def _begin(self, ref: FileRef) -> None:
        if ref.fault or not is_object(ref.path):
            self._begun.append((ref, None))
            return
        if self._pool is None:
            at_once = min(_AT_ONCE, self.settings.connections)
            self._pool = ThreadPoolExecutor(at_once, thread_name_prefix="fetch")
        self._begun.append((ref, self._pool.submit(fetch, ref.path, self.limits, self.settings, self.pace)))
        self._bytes += self._held(ref)

    def _next(self) -> tuple[FileRef, Opening | None]:
        ref, future = self._begun.popleft()
        if future is None:
            return ref, None
        self._bytes -= self._held(ref)
        return ref, future.result

    def _held(self, ref: FileRef) -> int:
        return min(ref.size, self.limits.read_bytes)

"""Units that get finished -> progress, by looking at the output folder: the same for every runner."""

from threading import Event, Thread
from types import TracebackType
from typing import Any, Protocol

from pipelines import storage
from pipelines.results.folder import ScanFolder
from pipelines.results.totals import add

_SECONDS_LOCAL = 0.25
_SECONDS_REMOTE = 5.0


class Observer(Protocol):
    """Whoever wants to know how a scan is getting on."""

    def planned(self, files: int, size: int) -> None: ...
    def advanced(self, totals: dict[str, Any]) -> None: ...


class Watch:
    """Looks for new units while its block runs, and once more at its end."""

    def __init__(self, folder: ScanFolder, observer: Observer) -> None:
        self._folder = folder
        self._observer = observer
        self._seen: set[str] = set()
        self._totals: dict[str, Any] = {}
        self._stop = Event()
        self._thread = Thread(target=self._watch, name="progress", daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()
        if kind is None:
            self._look()

    def _watch(self) -> None:
        pause = _SECONDS_LOCAL if storage.is_local(self._folder.uri) else _SECONDS_REMOTE
        while not self._stop.wait(pause):
            self._look()

    def _look(self) -> None:
        new = [name for name in self._folder.unit_names() if name not in self._seen]
        for name in new:
            totals = self._folder.unit_totals(name)
            add(self._totals, {key: totals.get(key, 0) for key in ("files", "bytes", "screened_positive", "referred")})
            self._seen.add(name)
        if new:
            self._observer.advanced(self._totals)

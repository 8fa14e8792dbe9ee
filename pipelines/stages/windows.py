"""A text that comes in windows -> one screening, one health verdict, one record; one window in memory at a time."""

from collections.abc import Iterator
from dataclasses import replace

from classifiers.health import HealthModel
from core.records import Document, FileRecord, HealthVerdict, Screening
from pipelines.stages.file_name import with_name
from pipelines.stages.person_near import person_nearest_terms
from pipelines.stages.record import failed, record_of
from screening.findings import Findings
from screening.screen import Screen
from screening.window import Window


class ScreenedWindows:
    """Adds up the findings of all windows; the rules judge once, on all of them."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._seen: Findings | None = None
        self._error: Exception | None = None

    def add(self, document: Document) -> tuple[Document, Screening | None]:
        try:
            segments = document.segments if document.more else with_name(document)
            seen = self._screen.find(segments, own_window(document), document.uri)
            self._seen = seen if self._seen is None else self._screen.merge(self._seen, seen)
        except Exception as error:  # one odd text must not stop a scan, and is never counted as clear
            self._error = error
        return (document, None) if document.more else self._finish(document)

    def _finish(self, document: Document) -> tuple[Document, Screening]:
        seen, error = self._seen, self._error
        self._seen, self._error = None, None
        if error is not None or seen is None:
            return failed(document, "screening", error or ValueError()), Screening()
        return document, self._screen.judge(seen)


def own_window(document: Document) -> Window:
    """Two windows overlap; the middle of the overlap divides them, so a span counts once and has text on both sides."""
    end = document.chars - document.repeated_after + document.repeated_after // 2 if document.more else None
    return Window(document.repeated_before // 2, end, document.offset)


class ClassifiedWindows:
    """Classifies every window: only after the last one is the file known to be positive, and then the text is gone."""

    def __init__(self, model: HealthModel, scan_id: str, reach: int) -> None:
        self._model = model
        self._scan_id = scan_id
        self._reach = reach
        self._places: list[int] = []  # of the medical terms of the nearest window
        self._nearest: HealthVerdict | None = None
        self._error: Exception | None = None

    def add(self, document: Document, screening: Screening | None) -> Iterator[FileRecord]:
        try:
            (verdict,) = self._model.classify([document.text])
            if self._nearest is None or _nearness(verdict) < _nearness(self._nearest):
                self._nearest = verdict
                (places,) = self._model.term_places([document.text]) if verdict.positive else ([],)
                self._places = [document.offset + start for start, _, _ in places]
        except Exception as error:
            self._error = error
        if screening is not None:
            yield self._finish(document, screening)

    def _finish(self, document: Document, screening: Screening) -> FileRecord:
        verdict, error, places = self._nearest, self._error, self._places
        self._nearest, self._error, self._places = None, None, []
        if not screening.positive:
            return record_of(self._scan_id, document, screening)
        if error is not None:
            return record_of(self._scan_id, failed(document, "health stage", error), screening)
        if verdict is not None:
            verdict = replace(verdict, person=person_nearest_terms(screening.evidence, places, self._reach))
        return record_of(self._scan_id, document, screening, verdict)


def _nearness(verdict: HealthVerdict) -> tuple[bool, float]:
    return not verdict.positive, float("inf") if verdict.distance is None else verdict.distance

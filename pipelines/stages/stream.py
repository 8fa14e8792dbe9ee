"""The stages as lazy streams: refs -> documents -> screened documents -> records, with few documents in memory at a time."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from classifiers.health import HealthModel
from core.records import Document, FileRecord, FileRef, HealthVerdict, Screening
from extraction.examine import examine_each
from extraction.sandbox import Sandbox
from pipelines.stages.duplicates import Duplicate, find_duplicates, still_holds
from pipelines.stages.file_name import with_name
from pipelines.stages.person_near import person_nearest_terms
from pipelines.stages.record import failed, record_of
from pipelines.stages.windows import ClassifiedWindows, ScreenedWindows
from screening.screen import Screen

_BATCH_CHARS = 4_000_000
SCREENED_TOGETHER = 64  # documents
_SCREENED_CHARS = 400_000


@dataclass(slots=True)
class Stream:
    """A work unit on its way through the fused stages; it cannot be pickled, so its content never crosses a shuffle."""

    unit: int
    items: Iterator[Any]
    refs: list[FileRef]
    figures: dict[str, dict[str, float]] = field(default_factory=dict)
    duplicates: list[Duplicate] = field(default_factory=list)  # files whose content another file of the unit has

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a Stream carries content; this runner must keep Extract, Screen, Health and Write in one fused stage"
        )

    def spent(self, stage: str, seconds: float, size: int = 0) -> None:
        figures = self.figures.setdefault(stage, {"seconds": 0.0, "bytes": 0})
        figures["seconds"] += seconds
        figures["bytes"] += size


Alike = Callable[[str, str], bool]  # whether two files of the same content would be found to hold the same
Whole = tuple[Document, Screening]
Screened = tuple[Document, Screening | None]  # nothing yet for a part that is not the last of its text


def extract(stream: Stream, refs: Sequence[FileRef], sandbox: Sandbox, alike: Alike) -> Iterator[Document]:
    """Content that stands in several files is examined once; the others are noted in the stream, and get their records at its end."""
    started = time.perf_counter()
    duplicates = [
        duplicate
        for duplicate in find_duplicates(refs, sandbox.limits.read_bytes)
        if alike(duplicate.ref.uri, duplicate.first.uri)
    ]
    stream.spent("extract", time.perf_counter() - started)
    put_off = {duplicate.ref.uri for duplicate in duplicates}
    firsts = {duplicate.first.uri for duplicate in duplicates}
    seen: dict[str, Document] = {}
    containers: set[str] = set()
    for document in _examined(stream, [ref for ref in refs if ref.uri not in put_off], sandbox):
        if document.container_uri is not None:
            containers.add(document.ref.uri)
        elif document.uri in firsts:
            seen[document.uri] = replace(document, segments=())
        yield document
    stream.duplicates = [
        duplicate
        for duplicate in duplicates
        if still_holds(duplicate, seen.get(duplicate.first.uri), duplicate.first.uri in containers)
    ]
    settled = {duplicate.ref.uri for duplicate in stream.duplicates}
    yield from _examined(
        stream, [duplicate.ref for duplicate in duplicates if duplicate.ref.uri not in settled], sandbox
    )


def _examined(stream: Stream, refs: Sequence[FileRef], sandbox: Sandbox) -> Iterator[Document]:
    documents = examine_each(refs, sandbox)
    while True:
        started = time.perf_counter()
        document = next(documents, None)
        counted = document is not None and document.container_uri is None and not document.more
        stream.spent("extract", time.perf_counter() - started, document.size if document and counted else 0)
        if document is None:
            break
        yield document


def screen(stream: Stream, documents: Iterator[Document], screen: Screen) -> Iterator[Screened]:
    """Small documents are screened together, in their order; long ones and windows of long ones go alone."""
    windows = ScreenedWindows(screen)
    for batch in _batches(documents):
        started = time.perf_counter()
        screened = [windows.add(batch[0])] if batch[0].is_window else _screened(batch, screen)
        size = sum(document.chars - document.repeated_before for document in batch)
        stream.spent("screen", time.perf_counter() - started, size)
        yield from screened


def _batches(documents: Iterator[Document]) -> Iterator[list[Document]]:
    waiting: list[Document] = []
    chars = 0
    for document in documents:
        if waiting and (document.is_window or chars + document.chars > _SCREENED_CHARS):
            yield waiting
            waiting, chars = [], 0
        waiting.append(document)
        chars += document.chars
        if document.is_window or len(waiting) >= SCREENED_TOGETHER or chars >= _SCREENED_CHARS:
            yield waiting
            waiting, chars = [], 0
    if waiting:
        yield waiting


def _screened(batch: Sequence[Document], screen: Screen) -> list[Screened]:
    try:
        screenings = iter(
            screen.screen_each([(with_name(document), document.uri) for document in batch if document.segments])
        )
        return [(document, next(screenings) if document.segments else Screening()) for document in batch]
    except (
        Exception
    ) as error:  # one odd text must not stop a scan or spoil its neighbours, and is never counted as clear
        if len(batch) > 1:
            return [screened for document in batch for screened in _screened([document], screen)]
        return [(failed(batch[0], "screening", error), Screening())]


def health(
    stream: Stream, screened: Iterator[Screened], model: HealthModel, batch: int, scan_id: str, reach: int
) -> Iterator[FileRecord]:
    """Screened-positive documents are classified in batches; all others become records at once and their text is dropped."""
    waiting: list[Whole] = []
    chars = 0
    windows = ClassifiedWindows(model, scan_id, reach)
    for document, screening in screened:
        if screening is None or document.is_window:
            started = time.perf_counter()
            yield from windows.add(document, screening)
            stream.spent("health", time.perf_counter() - started, document.chars - document.repeated_before)
            continue
        if not screening.positive:
            yield record_of(scan_id, document, screening)
            continue
        waiting.append((document, screening))
        chars += document.chars
        if len(waiting) >= batch or chars >= _BATCH_CHARS:
            yield from _classified(stream, waiting, model, scan_id, reach)
            waiting, chars = [], 0
    yield from _classified(stream, waiting, model, scan_id, reach)


def _classified(
    stream: Stream, waiting: list[Whole], model: HealthModel, scan_id: str, reach: int
) -> Iterator[FileRecord]:
    if not waiting:
        return
    started = time.perf_counter()
    try:
        verdicts = _with_persons(waiting, model.classify([document.text for document, _ in waiting]), model, reach)
    except Exception as error:
        if len(waiting) > 1:  # find the one that cannot be classified
            for one in waiting:
                yield from _classified(stream, [one], model, scan_id, reach)
        else:
            yield record_of(scan_id, failed(waiting[0][0], "health stage", error), waiting[0][1])
        return
    stream.spent("health", time.perf_counter() - started, sum(document.chars for document, _ in waiting))
    for (document, screening), verdict in zip(waiting, verdicts, strict=True):
        yield record_of(scan_id, document, screening, verdict)


def _with_persons(
    waiting: list[Whole], verdicts: list[HealthVerdict], model: HealthModel, reach: int
) -> list[HealthVerdict]:
    """Only in positive texts with a person in them is it asked where the terms stand."""
    asked = [number for number, verdict in enumerate(verdicts) if verdict.positive and waiting[number][1].persons]
    if not asked:
        return verdicts
    told = list(verdicts)
    for number, places in zip(asked, model.term_places([waiting[number][0].text for number in asked]), strict=True):
        person = person_nearest_terms(waiting[number][1].evidence, [start for start, _, _ in places], reach)
        told[number] = replace(verdicts[number], person=person)
    return told

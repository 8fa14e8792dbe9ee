"""Screened documents -> records; only those that are screened positive are classified."""

import time
from collections.abc import Iterator
from dataclasses import replace

from classifiers.health import HealthModel
from core.records import Document, FileRecord, HealthVerdict, Screening
from pipelines.stages.person_near import person_nearest_terms
from pipelines.stages.record import failed, record_of
from pipelines.stages.stream import Screened, Stream
from pipelines.stages.windows import ClassifiedWindows

_BATCH_CHARS = 4_000_000
Whole = tuple[Document, Screening]


def classify_documents(
    stream: Stream, screened: Iterator[Screened], model: HealthModel, batch: int, scan_id: str, reach: int
) -> Iterator[FileRecord]:
    """Screened positives are classified in batches; other documents become records at once, without their text."""
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
    """Terms are located only in positive texts that name a person: for others nobody asks whose health it is."""
    numbers = [number for number, verdict in enumerate(verdicts) if verdict.positive and waiting[number][1].persons]
    if not numbers:
        return verdicts
    completed = list(verdicts)
    for number, places in zip(numbers, model.term_places([waiting[number][0].text for number in numbers]), strict=True):
        person = person_nearest_terms(waiting[number][1].evidence, [start for start, _, _ in places], reach)
        completed[number] = replace(verdicts[number], person=person)
    return completed

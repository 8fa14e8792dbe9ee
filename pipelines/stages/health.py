"""Screened documents -> records; only those that are screened positive are classified."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from classifiers.health import HealthModel
from core.records import Document, FileRecord, Screening
from pipelines.stages.asides import judged_text
from pipelines.stages.file_name import with_name
from pipelines.stages.judge import Judged, judge_candidates, person_at, settled
from pipelines.stages.people import identified, with_health
from pipelines.stages.record import failed, over_limit, record_of
from pipelines.stages.stream import Screened, Stream
from pipelines.stages.time_limit import NO_LIMITS, OverLimitError, StepLimits, within
from pipelines.stages.windows import ClassifiedWindows
from screening.likeness import likeness
from screening.screen import Screen

_BATCH_CHARS = 4_000_000
Whole = tuple[Document, Screening]


def classify_documents(
    stream: Stream,
    screened: Iterator[Screened],
    model: HealthModel,
    batch: int,
    scan_id: str,
    limits: StepLimits = NO_LIMITS,
    key: bytes = b"",
    screen: Screen | None = None,
) -> Iterator[FileRecord]:
    """Screened positives are classified in batches; other documents become records at once, without their text."""
    waiting: list[Whole] = []
    chars = 0
    windows = ClassifiedWindows(stream, model, scan_id)
    for document, screening in screened:
        if document.is_window:
            started = time.perf_counter()
            yield from windows.add(document, screening)
            stream.spent("health", time.perf_counter() - started, document.chars - document.repeated_before)
            continue
        if not screening.positive:
            yield _record(stream, scan_id, document, screening)
            continue
        waiting.append((document, screening))
        chars += document.chars
        if len(waiting) >= batch or chars >= _BATCH_CHARS:
            yield from _classified(stream, waiting, model, scan_id, limits, key, screen)
            waiting, chars = [], 0
    yield from _classified(stream, waiting, model, scan_id, limits, key, screen)


def _classified(
    stream: Stream,
    waiting: list[Whole],
    model: HealthModel,
    scan_id: str,
    limits: StepLimits,
    key: bytes,
    screen: Screen | None,
) -> Iterator[FileRecord]:
    if not waiting:
        return
    started = time.perf_counter()
    try:
        verdicts = within(limits, lambda: _verdicts(waiting, model, screen))
    except (Exception, OverLimitError) as error:
        if len(waiting) > 1:  # find the one that cannot be classified
            for one in waiting:
                yield from _classified(stream, [one], model, scan_id, limits, key, screen)
        elif isinstance(error, OverLimitError):
            yield _record(stream, scan_id, over_limit(waiting[0][0], limits, error), waiting[0][1])
        else:
            yield _record(stream, scan_id, failed(waiting[0][0], "health stage", error), waiting[0][1])
        return
    stream.spent("health", time.perf_counter() - started, sum(document.chars for document, _ in waiting))
    for (document, _), (judged, screening) in zip(waiting, verdicts, strict=True):
        yield _record(stream, scan_id, document, screening, judged, key)


def _record(
    stream: Stream,
    scan_id: str,
    document: Document,
    screening: Screening,
    judged: Judged | None = None,
    key: bytes = b"",
) -> FileRecord:
    """The people of the document go to their own file; the record has their number."""
    positive = judged.positive if judged and judged.verdict.positive else ()
    seen = with_health(screening.people, positive) if positive else identified(screening.people)
    people = stream.people.add(document.uri, seen)
    alike = b""
    if key and judged and judged.verdict.positive:  # of what is referred
        alike = likeness(document.text, judged.verdict.terms, key)
    return record_of(scan_id, document, screening, judged.verdict if judged else None, people, alike)


def _verdicts(waiting: Sequence[Whole], model: HealthModel, screen: Screen | None) -> list[tuple[Judged, Screening]]:
    texts = [judged_text(document) for document, _ in waiting]
    judged = judge_candidates(texts, [screening.candidates for _, screening in waiting], model)
    return [_settled(one, *whole, model, screen) for one, whole in zip(judged, waiting, strict=True)]


def _settled(
    judged: Judged, document: Document, screening: Screening, model: HealthModel, screen: Screen | None
) -> tuple[Judged, Screening]:
    """What is kept of a long text shows the passage that decided."""
    if judged.strongest is None:
        return judged, screening
    if screen is not None and screening.left_out:
        evidence = screen.evidence_with(screening, with_name(document), judged.strongest)
        screening = replace(screening, evidence=evidence)
    person = person_at(screening.evidence, judged.strongest.person)
    return judged._replace(verdict=replace(settled(judged.verdict, model), person=person)), screening

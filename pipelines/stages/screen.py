"""Documents -> documents with their screening; small ones are screened together, which is twice as fast."""

import time
from collections.abc import Iterator, Sequence

from core.records import EXAMINED, Document, Screening, Segment
from pipelines.stages.file_name import with_name
from pipelines.stages.record import failed, over_limit
from pipelines.stages.stream import Screened, Stream
from pipelines.stages.time_limit import NO_LIMITS, OverLimitError, StepLimits, within
from pipelines.stages.windows import ScreenedWindows, in_windows
from screening.screen import Screen

SCREENED_TOGETHER = 64  # documents
_SCREENED_CHARS = 400_000
BEGINNING = 20_000  # characters of a text that took too long, which are screened alone


def screen_documents(
    stream: Stream, documents: Iterator[Document], screen: Screen, limits: StepLimits = NO_LIMITS
) -> Iterator[Screened]:
    """Small documents are screened together, in their order; long ones and windows of long ones go alone.

    `limits`: of one document.
    """
    windows = ScreenedWindows(screen, limits)
    for batch in _batches(in_windows(documents)):
        started = time.perf_counter()
        screened = [windows.add(batch[0])] if batch[0].is_window else _screened(batch, screen, limits)
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


def _screened(batch: Sequence[Document], screen: Screen, limits: StepLimits) -> list[Screened]:
    try:
        screenings = iter(
            within(
                limits,
                lambda: screen.screen_each(
                    [(with_name(document), document.uri) for document in batch if _is_screened(document)]
                ),
            )
        )
        return [(document, next(screenings) if _is_screened(document) else Screening()) for document in batch]
    except (Exception, OverLimitError) as error:
        # One odd text must not stop a scan or affect its neighbours, and is never counted as clear.
        if len(batch) > 1:
            return [screened for document in batch for screened in _screened([document], screen, limits)]
        if isinstance(error, OverLimitError):
            return [(over_limit(batch[0], limits, error), _of_the_beginning(batch[0], screen, limits))]
        return [(failed(batch[0], "screening", error), Screening())]


def _is_screened(document: Document) -> bool:
    """A file without any text, such as a picture without letters, still has a name."""
    return bool(document.segments) or document.status in EXAMINED


def _of_the_beginning(document: Document, screen: Screen, limits: StepLimits) -> Screening:
    """A short text takes little time, unless it is made to hold the screening up."""
    left = BEGINNING
    segments: list[Segment] = []
    for segment in document.segments:
        segments.append(Segment(segment.where, segment.text[:left]))
        left -= len(segment.text)
        if left <= 0:
            break
    try:
        (screening,) = within(limits, lambda: screen.screen_each([(segments, document.uri)]))
    except (Exception, OverLimitError):
        return Screening()
    return screening

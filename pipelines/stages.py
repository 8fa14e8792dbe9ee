"""The stages as lazy streams: refs -> documents -> screened documents -> records, one document in memory at a time."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from classifiers.health import HealthModel
from core.records import Document, FileRecord, FileRef, HealthVerdict, Screening, Status
from extraction.examine import examine_each
from extraction.sandbox import Sandbox
from screening.screen import Screen

_BATCH_CHARS = 4_000_000


@dataclass(slots=True)
class Stream:
    """A work unit on its way through the fused stages; it cannot be pickled, so its content never crosses a shuffle."""

    unit: int
    items: Iterator[Any]
    refs: list[FileRef]
    figures: dict[str, dict[str, float]] = field(default_factory=dict)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Stream carries content; this runner must keep Extract, Screen, Health and Write in one fused stage")

    def spent(self, stage: str, seconds: float, size: int = 0) -> None:
        figures = self.figures.setdefault(stage, {"seconds": 0.0, "bytes": 0})
        figures["seconds"] += seconds
        figures["bytes"] += size


Screened = tuple[Document, Screening]


def extract(stream: Stream, refs: Sequence[FileRef], sandbox: Sandbox) -> Iterator[Document]:
    documents = examine_each(refs, sandbox)
    while True:
        started = time.perf_counter()
        document = next(documents, None)
        stream.spent("extract", time.perf_counter() - started, document.size if document and document.container_uri is None else 0)
        if document is None:
            break
        yield document


def screen(stream: Stream, documents: Iterator[Document], screen: Screen) -> Iterator[Screened]:
    for document in documents:
        started = time.perf_counter()
        screened = _screened(document, screen)
        stream.spent("screen", time.perf_counter() - started, document.chars)
        yield screened


def _screened(document: Document, screen: Screen) -> Screened:
    if not document.segments:
        return document, Screening()
    try:
        return document, screen.screen(document.segments)
    except Exception as error:  # one odd text must not stop a scan, and is never counted as clear
        return _failed(document, "screening", error), Screening()


def _failed(document: Document, stage: str, error: Exception) -> Document:
    return replace(document, status=Status.FAILED, reason=f"{stage} raised {type(error).__name__}", segments=())


def health(stream: Stream, screened: Iterator[Screened], model: HealthModel, batch: int, scan_id: str) -> Iterator[FileRecord]:
    """Screened-positive documents are classified in batches; all others become records at once and their text is dropped."""
    waiting: list[Screened] = []
    chars = 0
    for document, screening in screened:
        if not screening.positive:
            yield record_of(scan_id, document, screening)
            continue
        waiting.append((document, screening))
        chars += document.chars
        if len(waiting) >= batch or chars >= _BATCH_CHARS:
            yield from _classified(stream, waiting, model, scan_id)
            waiting, chars = [], 0
    yield from _classified(stream, waiting, model, scan_id)


def _classified(stream: Stream, waiting: list[Screened], model: HealthModel, scan_id: str) -> Iterator[FileRecord]:
    if not waiting:
        return
    started = time.perf_counter()
    try:
        verdicts = model.classify([document.text for document, _ in waiting])
    except Exception as error:
        if len(waiting) > 1:  # find the one that cannot be classified
            for one in waiting:
                yield from _classified(stream, [one], model, scan_id)
        else:
            yield record_of(scan_id, _failed(waiting[0][0], "health stage", error), waiting[0][1])
        return
    stream.spent("health", time.perf_counter() - started, sum(document.chars for document, _ in waiting))
    for (document, screening), verdict in zip(waiting, verdicts, strict=True):
        yield record_of(scan_id, document, screening, verdict)


def record_of(scan_id: str, document: Document, screening: Screening, verdict: HealthVerdict | None = None) -> FileRecord:
    return FileRecord(
        scan_id=scan_id,
        ref=document.ref,
        uri=document.uri,
        container_uri=document.container_uri,
        size=document.size,
        sha256=document.sha256,
        media_type=document.media_type,
        status=document.status,
        reason=document.reason,
        chars=document.chars,
        screening=screening,
        health=verdict,
    )

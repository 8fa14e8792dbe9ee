"""A document, its screening and its health verdict -> the record that is kept of it."""

from dataclasses import replace

from core.detect_language import language_of
from core.languages import is_judged, reason_not_judged
from core.records import EXAMINED, Document, FileRecord, HealthVerdict, Risk, Screening, Status
from pipelines.stages.time_limit import OverMemoryError, StepLimits


def record_of(
    scan_id: str,
    document: Document,
    screening: Screening,
    verdict: HealthVerdict | None = None,
    people: int = 0,
    likeness: bytes = b"",
) -> FileRecord:
    language = language_of(segment.text for segment in document.segments) if document.status in EXAMINED else None
    reason = document.reason
    if not reason and language is not None and not is_judged(language):
        reason = reason_not_judged(language)
    if verdict is not None and verdict.positive and screening.known:
        screening = replace(screening, risk=Risk.HIGH)
    return FileRecord(
        scan_id=scan_id,
        ref=document.ref,
        uri=document.uri,
        container_uri=document.container_uri,
        size=document.size,
        sha256=document.sha256,
        media_type=document.media_type,
        status=document.status,
        reason=reason,
        chars=document.offset - document.joints_before + document.chars,
        screening=replace(screening, candidates=(), people=(), left_out=()),
        health=verdict,
        language=language,
        people=people,
        origin=document.origin,
        likeness=likeness,
    )


def over_limit(document: Document, limits: StepLimits, error: BaseException) -> Document:
    """What was found until then counts; that the rest was not screened must show."""
    which = f"{limits.memory_bytes:,} bytes" if isinstance(error, OverMemoryError) else f"{limits.seconds:g} s"
    return replace(document, status=Status.PARTIAL, reason=f"screening limit ({which})")


def failed(document: Document, stage: str, error: Exception) -> Document:
    return replace(document, status=Status.FAILED, reason=f"{stage} raised {type(error).__name__}", segments=())

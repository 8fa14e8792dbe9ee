"""A document, its screening and its health verdict -> the record that is kept of it."""

from dataclasses import replace

from core.records import Document, FileRecord, HealthVerdict, Screening, Status


def record_of(
    scan_id: str, document: Document, screening: Screening, verdict: HealthVerdict | None = None
) -> FileRecord:
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
        chars=document.offset + document.chars,
        screening=replace(screening, candidates=()),
        health=verdict,
    )


def failed(document: Document, stage: str, error: Exception) -> Document:
    return replace(document, status=Status.FAILED, reason=f"{stage} raised {type(error).__name__}", segments=())

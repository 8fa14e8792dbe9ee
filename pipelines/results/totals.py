"""FileRecords of a unit -> counts that add up, and the sum of many units' counts."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from core.records import EXAMINED, FileRecord

STAGES = ("extract", "screen", "health", "write")


def unit_totals(records: Iterable[FileRecord], stages: Mapping[str, Mapping[str, float]]) -> dict[str, Any]:
    """Every figure of summary.json for one unit, as nested counts."""
    totals: dict[str, Any] = _nest()
    for record in records:
        examined = record.status in EXAMINED
        outermost = record.container_uri is None
        _count(totals, "records")
        _count(totals, "examined", by=examined)
        _count(totals, "files", by=outermost)
        _count(totals, "bytes", by=record.size if outermost else 0)
        _count(totals, "duplicates", by=outermost and record.duplicate_of is not None)
        _count(totals, "status", record.status.value)
        if record.reason:
            _count(totals, "reasons", record.status.value, record.reason)
        _count(totals, "media_types", record.media_type, "files")
        _count(totals, "media_types", record.media_type, "bytes", by=record.size)
        _count(totals, "media_types", record.media_type, "examined", by=examined)
        _count(totals, "media_types", record.media_type, "referred", by=record.referred)
        _count(totals, "screened_positive", by=record.screening.positive)
        _count(totals, "health_positive", by=record.health is not None and record.health.positive)
        _count(totals, "referred", by=record.referred)
        if record.referred:
            _count(totals, "risk", record.screening.risk.value)
        for hit in record.screening.rules:
            _count(totals, "rules", hit.rule)
        for characteristic, hits in record.screening.suppressed:
            _count(totals, "suppressed", characteristic, by=hits)
    totals["stages"] = {stage: dict(figures) for stage, figures in stages.items()}
    return totals


def add(left: dict[str, Any], right: Mapping[str, Any]) -> dict[str, Any]:
    """Adds nested counts into `left`."""
    for key, value in right.items():
        if isinstance(value, Mapping):
            left[key] = add(left.get(key, {}), value)
        else:
            left[key] = left.get(key, 0) + value
    return left


def _nest() -> Any:
    return defaultdict(_nest)


def _count(totals: dict[str, Any], *path: str, by: int | bool = 1) -> None:
    *folders, last = path
    for folder in folders:
        totals = totals[folder]
    totals[last] = totals.get(last, 0) + int(by)

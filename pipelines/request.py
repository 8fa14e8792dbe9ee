"""What the user asks for -> a checked ScanRequest: sources that exist, an output folder that holds only scans."""

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime

from core.settings import Settings
from extraction.opening.hours import Hours
from pipelines.results.folder import check_output
from pipelines.sources.sources import Sources, check_sources


@dataclass(frozen=True, slots=True)
class ScanRequest:
    sources: Sources
    settings: Settings
    out: str  # the folder of all scans
    full: bool = False  # read every file, even those that have not changed
    started: datetime = field(default_factory=lambda: datetime.now(UTC))
    clock: float = field(default_factory=time.perf_counter)  # at the start, to measure how long the scan takes


def check_request(sources: Sources, settings: Settings, *, full: bool = False) -> ScanRequest:
    """A wrong path is reported at once, before anything slow is imported."""
    Hours.of(settings.scan.hours)
    check_sources(sources, settings.sources)
    return ScanRequest(sources, settings, check_output(settings.scan.out), full)

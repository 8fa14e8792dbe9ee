"""What the page about a breach needs of whoever runs the service: the facts of its report, and the report as a file.

The front door supplies it, because it alone reads results of scans; a service without it has no such page.
"""

from collections.abc import Mapping
from datetime import date
from typing import Any, Protocol


class Reporter(Protocol):
    def facts(self, discovered: date | None, language: str = "en") -> dict[str, Any]:
        """As of now, with laws and diagnoses in a language; raises a LeakscreenError where results are missing."""
        ...

    def written(self, facts: Mapping[str, Any], form: str) -> bytes:
        """As `html`, `docx` or `json`."""
        ...


_installed: list[Reporter] = []


def install(reporter: Reporter) -> None:
    """Once, before the service starts."""
    _installed[:] = [reporter]


def reporter() -> Reporter | None:
    return _installed[0] if _installed else None

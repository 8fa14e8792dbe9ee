"""What the page about a breach needs of whoever runs the service: the facts of its report, and the report as a file.

The front door supplies it, because it alone reads results of scans; a service without it has no such page.
"""

from collections.abc import Mapping
from datetime import date
from typing import Any, Protocol

from core.errors import LeakscreenError


class BeingCountedError(LeakscreenError):
    """The facts as of now are not counted yet; `before` are those of the last count."""

    def __init__(self, before: dict[str, Any] | None) -> None:
        super().__init__("The people are being counted; ask again in a few seconds.")
        self.before = before


class Reporter(Protocol):
    def facts(self, discovered: date | None, language: str = "en") -> dict[str, Any]:
        """As of now, with laws and diagnoses in a language.

        Raises a LeakscreenError where results are missing, or as long as they are being counted.
        """
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

"""A query string -> which scans, source and rules a page is about; and back, so that every view has an address."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest

from review.dashboard.figures import Figures, figures_of
from review.models import Scan
from review.translation import gettext_lazy

_SHARED = ("scan", "source", "from", "to", "rules")
_MOST_SCANS = 24
NOT_COUNTED = gettext_lazy("No scan was counted yet. Hand one over with: leakscreen refer RESULTS")
NO_SUCH_SCAN = gettext_lazy(
    "No scan with this id was counted, or the other filters leave it out. Choose another one above."
)
NO_SCAN_LEFT = gettext_lazy("The filters leave no scan, or none was counted yet. Clear them to see all.")


@dataclass(frozen=True, slots=True)
class Choice:
    """`scans` are all that the filters leave, newest first; `scan` is the one that is looked at."""

    given: dict[str, str]
    scans: tuple[Scan, ...]
    scan: Scan | None
    figures: Figures | None
    source: str

    @property
    def nothing_chosen(self) -> str:
        """Why there is no scan to look at; empty where there is one."""
        if self.scan is not None:
            return ""
        if self.given.get("scan"):
            return NO_SUCH_SCAN
        return NO_SCAN_LEFT if self.given else NOT_COUNTED

    def address(self, **other: str) -> str:
        """The same filters, with something else beside them."""
        return "?" + urlencode({name: value for name, value in {**self.given, **other}.items() if value})


def choice_of(request: HttpRequest) -> Choice:
    shared = {name: value for name in _SHARED if (value := request.GET.get(name, "").strip())}
    scans = tuple(_scans(shared)[:_MOST_SCANS])
    wanted = shared.get("scan")
    scan = (
        next((candidate for candidate in scans if candidate.pk == wanted), None) if wanted else next(iter(scans), None)
    )
    figures = figures_of(scan.pk) if scan else None
    source = shared.get("source", "")
    if figures is not None and source not in {kind.source for kind in figures.kinds}:
        source = ""
    return Choice(shared, scans, scan, figures, source)


def filters(choice: Choice) -> dict[str, Any]:
    """What the form offers."""
    newest: dict[str, Scan] = {}
    for scan in Scan.objects.order_by("-started").only("pk", "rules_sha256", "started")[:200]:
        newest.setdefault(scan.rules_sha256, scan)
    return {
        "scans": choice.scans,
        "sources": sorted({kind.source for kind in choice.figures.kinds}) if choice.figures else [],
        "rule_sets": [(sha256, scan.started) for sha256, scan in newest.items()],
        "given": choice.given,
        "from": choice.given.get("from", ""),
    }


def _scans(given: dict[str, str]) -> Any:
    scans = Scan.objects.filter(figures__isnull=False).order_by("-started", "pk")
    since, until = day_of(given.get("from")), day_of(given.get("to"))
    if since:
        scans = scans.filter(started__gte=since)
    if until:
        scans = scans.filter(started__lt=until + timedelta(days=1))
    if given.get("rules", "").isalnum():
        scans = scans.filter(rules_sha256__startswith=given["rules"][:64])
    return scans


def day_of(text: str | None) -> datetime | None:
    try:
        return datetime.combine(date.fromisoformat(text or ""), time(), UTC)
    except ValueError:
        return None


def midnight(at: datetime) -> datetime:
    return datetime.combine(at.date(), time(), UTC)
